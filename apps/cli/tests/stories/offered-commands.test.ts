import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";
import { callBelfry } from "../call.ts";

test("a command names the daemon that was called, whatever words of a user stand beside it", async () => {
  await using belfry = await startBelfry();
  const dir = belfry.daemon.dataDir;
  const call = (...words: readonly string[]) => belfry.call(["--data-dir", dir, ...words], { calledAs: "b" });
  expect((await call("task", "add", "Reboot machine", "--", "true")).stdout).toContain(
    `Run it with \`b --data-dir ${dir} task run "Reboot machine"\``,
  );
  expect((await call("task", "add", "To run belfry x", "--", "true")).stdout).toContain(
    `Run it with \`b --data-dir ${dir} task run "To run belfry x"\``,
  );
  const reason = "Upgrade of this machine, then run belfry doctor";
  await call("hold", "--reason", reason);
  const held = `All tasks are held until you release them: ${reason}. Release with: b --data-dir ${dir} release`;
  for (const words of [
    ["task", "run", "Reboot machine"],
    ["why", "Reboot machine"],
    ["agenda"],
    ["status"],
    ["doctor"],
  ]) {
    const { stdout, stderr } = await call(...words);
    expect(`${stdout}${stderr}`, words.join(" ")).toContain(held);
  }
  const { findings } = JSON.parse((await call("--json", "doctor")).stdout);
  expect(findings.find(({ subject }: { subject: string }) => subject === "holds").text).toBe(
    `All tasks are held until you release them: ${reason}. Release with: belfry release`,
  );
  expect((await call("hold", "--until", "2h")).stderr).toBe(
    `This replaces the earlier hold: All tasks are held until you release them: ${reason}\n`,
  );
});

test("a copied command passes the name on as it is", async () => {
  await using belfry = await startBelfry();
  const name = "a $(id) `id`";
  await belfry.text("group", "add", name);
  await belfry.text("task", "add", name, "--group", name, "--", "true");
  expect(await belfry.text("task", "show", name)).toContain(name);
  const placed = await belfry.call(["hold", "--group", name]);
  expect(placed.stderr).toContain(`Release with: belfry release --group '${name}'`);
  expect((await belfry.call(["notify", "effective", name])).stderr).toContain(
    `with: belfry notify set '${name}' --on-failure <channel>`,
  );
  await belfry.text("actor", "add", name, "--capability", "observe");
  expect((await belfry.call(["actor", "revoke", name])).stderr).toContain(`belfry actor revoke '${name}' --confirm`);
});

test("a command names a task by its path where the name alone is ambiguous", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Nightly");
  await belfry.text("task", "add", "Y", "--", "true");
  const added = await belfry.text("task", "add", "Y", "--group", "Nightly", "--", "true");
  expect(added).toContain(
    'Run it with `belfry task run "Nightly/Y"`, or add a schedule with `belfry schedule add "Nightly/Y"',
  );
  await belfry.text("task", "add", "Draft", "--draft");
  expect(await belfry.text("task", "add", "Draft", "--draft", "--group", "Nightly")).toContain(
    '`belfry task edit "Nightly/Draft" -- <program> [arguments...]`',
  );
  for (const path of ["/Y", "Nightly/Y"]) {
    await belfry.text("task", "disable", path);
    const refused = await belfry.call(["task", "run", path]);
    expect(refused.stderr).toBe(`belfry: task "Y" is disabled\nEnable it with: belfry task enable ${path}\n`);
    expect(await belfry.text("task", "enable", path)).toBe('Enabled task "Y"\n');
    expect((await belfry.call(["notify", "effective", path])).stderr).toContain(
      `with: belfry notify set "${path}" --on-failure <channel>`,
    );
  }
  await belfry.text("task", "edit", "/Y", "--", "false");
  await belfry.call(["task", "run", "/Y", "--wait"]);
  expect(await belfry.text("doctor")).toContain("latest run failed: /Y. Read the output with: belfry run logs <task>");
  expect(await belfry.text("run", "logs", "/Y")).toBe("");
  // the path of one task is the name of another
  await belfry.text("task", "add", "/Y", "--", "true");
  const { id } = (
    await belfry.json<{ tasks: { id: string; name: string; group_name: string | null }[] }>("task", "list")
  ).tasks.find(({ name, group_name }) => name === "Y" && group_name === null)!;
  await belfry.text("task", "disable", id);
  expect((await belfry.call(["task", "run", id])).stderr).toContain(`Enable it with: belfry task enable ${id}\n`);
});

test("the report of an import offers commands of the daemon that was called", async () => {
  await using belfry = await startBelfry();
  const dir = belfry.daemon.dataDir;
  const { stdout, stderr } = await belfry.call(["--data-dir", dir, "import", "crontab", "-", "--dry-run"], {
    stdin: "MAILTO=root@example.com\n0 3 * * * true\n",
  });
  expect(stdout, stderr).toContain(
    `add a channel with: belfry --data-dir ${dir} channel add. Then notify it with: belfry --data-dir ${dir} notify set`,
  );
});

test("an error in the words themselves offers commands of the daemon that was called", async () => {
  const { stderr } = await callBelfry(["--data-dir", "/srv/a b", "run", "Backup"], { calledAs: "./belfry" });
  expect(stderr).toContain("To start a task, use: ./belfry --data-dir '/srv/a b' task run \"Backup\"\n");
  const missing = await callBelfry(["task", "run", "--socket=/run/b.sock"], {});
  expect(missing.stderr).toContain("See: belfry --socket /run/b.sock task run --help\n");
});
