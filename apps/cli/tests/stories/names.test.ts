import type { Task, TaskList, TriggerSecret } from "@belfry/client";
import { tempDir } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { freePlace } from "../../../../packages/server/tests/support/ports.ts";
import { startBelfry } from "../belfry.ts";

async function idOf(belfry: Awaited<ReturnType<typeof startBelfry>>, typed: string): Promise<string> {
  return (await belfry.json<Task>("task", "show", typed)).id;
}

test("an exact name wins over another case, and /name is the task in no group", async () => {
  await using belfry = await startBelfry();
  for (const group of ["web", "db"]) await belfry.text("group", "add", group);
  await belfry.text("task", "add", "Backup", "--group", "web", "--", "true");
  await belfry.text("task", "add", "backup", "--group", "db", "--", "true");
  await belfry.text("task", "add", "BACKUP", "--", "true");
  const ids = await Promise.all(["Backup", "backup", "BACKUP"].map((name) => idOf(belfry, name)));
  expect(new Set(ids).size).toBe(3);
  expect(await idOf(belfry, "/backup")).toBe(ids[2]);
  const ambiguous = await belfry.call(["task", "show", "bACKUP"]);
  expect(ambiguous).toMatchObject({ code: 2, stderr: expect.stringContaining("3 tasks have this name") });
  // every path of the message works
  const paths = [...ambiguous.stderr.matchAll(/^ {2}(tsk_\w+) {2}(.*)$/gm)].map(([, id, path]) => [id, path] as const);
  expect(new Set(paths.map(([, path]) => path))).toEqual(new Set(["/BACKUP", "db/backup", "web/Backup"]));
  for (const [id, path] of paths) expect(await idOf(belfry, path!)).toBe(id);
});

test("a misspelled name is suggested once, by its name or by its path as it was typed", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "web");
  await belfry.text("task", "add", "Nightly backup", "--group", "web", "--", "true");
  const hintFor = async (typed: string) => (await belfry.call(["task", "show", typed])).stderr.split("\n")[1];
  expect(await hintFor("Nigthly backup")).toBe('Did you mean "Nightly backup"?');
  expect(await hintFor("web/Nigthly backup")).toBe('Did you mean "web/Nightly backup"?');
  // another name of one character is no misspelling of this one
  await belfry.text("task", "add", "J", "--", "true");
  for (const typed of ["a", "/"]) expect(await hintFor(typed)).toBe("List all tasks with: belfry task list");
  expect((await belfry.call(["rm", "a", "b", "c"])).stderr).toBe(
    'belfry: there is no task "a"\nList all tasks with: belfry task list\n',
  );
});

test("a task for a group that does not exist yet is told how to add the group", async () => {
  await using belfry = await startBelfry();
  expect((await belfry.call(["task", "add", "x", "--group", "Back ups", "--", "true"])).stderr).toBe(
    'belfry: there is no group "Back ups"\nList all groups with: belfry group list\nOr add the group first: belfry group add "Back ups"\n',
  );
  expect((await belfry.call(["group", "show", "Backups"])).stderr).not.toContain("add");
});

test("a cron expression is not looked up as a schedule without a word about --cron", async () => {
  await using belfry = await startBelfry();
  expect((await belfry.call(["schedule", "preview", "0 3 * * *"])).stderr).toBe(
    'belfry: there is no schedule "0 3 * * *"\nTo preview an expression, use: belfry schedule preview --cron "0 3 * * *"\n',
  );
  expect((await belfry.call(["schedule", "preview", "Nightly"])).stderr).toContain("List all schedules with");
});

test("a path that is also a name is ambiguous, and is not resolved to the wrong task", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "a");
  await belfry.text("task", "add", "b", "--group", "a", "--", "true");
  await belfry.text("task", "add", "a/b", "--", "true");
  expect((await belfry.call(["task", "show", "a/b"])).code).toBe(2);
  expect(await belfry.json("task", "show", "/a/b")).toMatchObject({ name: "a/b", group_name: null });
});

test("ls, ps, logs and rm do what fingers expect", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Talk", "--shell", "echo hello");
  await belfry.text("task", "add", "Long", "--", "sleep", "600");
  await belfry.text("task", "run", "Talk", "--wait");
  await belfry.text("task", "run", "Long");
  expect(await belfry.text("logs", "Talk")).toBe("hello\n");
  expect(await belfry.text("ps")).toMatch(/^TASK +ELAPSED +USUAL +STATE +ID\nLong +.* +run_\w+\n$/);
  expect(await belfry.json("ps")).toMatchObject({ running: [{ run: { task_name: "Long" } }] });
  expect(await belfry.text("ls", "--columns", "name")).toBe(await belfry.text("task", "ls", "--columns", "name"));
  await belfry.text("run", "cancel", "Long", "--wait");
  expect(await belfry.text("rm", "Long")).toBe('Deleted task "Long"\n');
  expect(await belfry.text("task", "rm", "Talk")).toBe('Deleted task "Talk"\n');
  expect(await belfry.call(["ps"])).toMatchObject({ stdout: "", stderr: "No run is active\n" });
});

test("several resources are deleted in one call; if one does not exist, none is deleted", async () => {
  await using belfry = await startBelfry();
  for (const name of ["a", "b", "c"]) await belfry.text("task", "add", name, "--", "true");
  expect(await belfry.call(["task", "delete", "a", "nope", "b"])).toMatchObject({ code: 3, stdout: "" });
  expect((await belfry.json<TaskList>("task", "list")).tasks).toHaveLength(3);
  expect(await belfry.text("task", "disable", "a", "b")).toBe('Disabled task "a"\nDisabled task "b"\n');
  expect(await belfry.text("task", "delete", "a", "b", "a")).toBe('Deleted task "a"\nDeleted task "b"\n');
  expect(await belfry.json("task", "delete", "c")).toMatchObject({ name: "c" });
});

test("the deletion of a task says what was deleted with it, and what is left without a task", async () => {
  await using belfry = await startBelfry();
  for (const name of ["Load", "Report"]) await belfry.text("task", "add", name, "--every", "5m", "--", "true");
  await belfry.text("schedule", "add", "Load", "--cron", "0 3 * * *");
  await belfry.text("chain", "add", "Load", "Report", "--on", "success");
  await belfry.text("trigger", "add", "CI", "--task", "Load");
  await belfry.text("watcher", "add", "Inbox", "--task", "Load", "--directory", "/srv", "--disabled");
  expect(await belfry.text("task", "delete", "Load")).toBe(
    'Deleted task "Load". Deleted with it: schedules 0 3 * * *, every 5m; chain to task "Report". ' +
      'Left without a task: trigger "CI"; watcher "Inbox". Choose another task with: belfry trigger edit, or: belfry watcher edit\n',
  );
  await belfry.text("trigger", "add", "CI 2", "--task", "Report");
  const dir = belfry.daemon.dataDir;
  expect((await belfry.call(["--data-dir", dir, "task", "delete", "Report"], { calledAs: "b" })).stdout).toMatch(
    new RegExp(`Left without a task: trigger "CI 2"\\. Choose another task with: b --data-dir ${dir} trigger edit\n$`),
  );
});

test("hints repeat the name of the command and the data directory", async () => {
  await using belfry = await startBelfry();
  const dir = belfry.daemon.dataDir;
  const added = await belfry.call(["--data-dir", dir, "task", "add", "x", "--", "true"], { calledAs: "./belfry" });
  expect(added.stdout).toContain(`Run it with \`./belfry --data-dir ${dir} task run "x"\``);
  const unknown = await belfry.call(["--data-dir", dir, "group", "show", "nope"]);
  expect(unknown.stderr).toContain(`List all groups with: belfry --data-dir ${dir} group list`);

  // every command that is offered anywhere begins like this one
  const { key } = await belfry.json<TriggerSecret>("trigger", "add", "CI", "--task", "x");
  const { host, port } = await freePlace();
  const cases: readonly (readonly [words: readonly string[], offers: number, stdin?: string])[] = [
    [["trigger", "add", "CI 2", "--task", "x"], 1],
    [["trigger", "reveal", "CI"], 1],
    [["trigger", "rotate", "CI 2"], 1],
    [["trigger", "fire"], 1, key],
    [["task", "run", "x"], 1],
    [["channel", "add", "Ops", "--endpoint-file", "-"], 1, "http://127.0.0.1:1/"],
    [["notify", "effective", "x"], 1],
    [["remote", "enable", "--host", host, "--port", String(port)], 1],
    [["pair", "laptop", "--capability", "observe"], 1],
    [["hold"], 1],
    [["status"], 1],
    [["why", "x"], 1],
    [["doctor"], 1],
    [["release"], 0],
    [["run", "list", "--task", "nope"], 1],
    [["manifest", "reset"], 1],
  ];
  for (const [words, offers, stdin] of cases) {
    const { stdout, stderr } = await belfry.call(["--data-dir", dir, ...words], {
      calledAs: "./belfry",
      ...(stdin === undefined ? {} : { stdin }),
    });
    const all = `${stdout}${stderr}`.replaceAll("On the other machine, run: belfry enroll", "");
    const found =
      all.match(/belfry (?:--data-dir \S+ )?[a-z]+ ?[a-z]*/g)?.filter((text) => !text.startsWith("belfry is")) ?? [];
    expect(found.length, `${words.join(" ")}: ${all}`).toBeGreaterThanOrEqual(offers);
    for (const text of found) expect(text, words.join(" ")).toMatch(/^belfry --data-dir \S+ /);
    expect(all.split("belfry --data-dir").length, words.join(" ")).toBe(all.split("./belfry --data-dir").length);
  }
});

test("an error about the command of a task does not name the members of the API", async () => {
  await using belfry = await startBelfry();
  expect(await belfry.call(["task", "add", "x", "--", ""])).toMatchObject({
    code: 2,
    stderr: "belfry: the program must not be empty\n",
  });
});

test("a schedule of another kind names the two commands to use instead", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Say hello", "--every", "1h", "--", "echo", "hello");
  const { schedules } = await belfry.json<{ schedules: readonly { id: string }[] }>("schedule", "list");
  const words = ["schedule", "edit", "Say hello", "--cron", "0 3 * * *"];
  expect(await belfry.call(words)).toEqual({
    code: 2,
    stdout: "",
    stderr: `belfry: this schedule was made with --every, and cannot become one with --cron
Add a schedule with: belfry schedule add '/Say hello' --cron '0 3 * * *'
Delete this one with: belfry schedule delete ${schedules[0]!.id}
`,
  });
  const { error } = JSON.parse((await belfry.call(["--json", ...words])).stderr);
  expect(error).toMatchObject({ code: "validation_failed", field: "expression", exit_code: 2 });
  for (const [option, value] of [
    ["--tz", "Europe/Berlin"],
    ["--dst-gap", "skip"],
    ["--dst-overlap", "both"],
  ] as const)
    expect(await belfry.call(["schedule", "edit", "Say hello", option, value])).toMatchObject({
      code: 2,
      stderr: `belfry: ${option} requires --cron, and this schedule was made with --every\n`,
    });
});

test("the command to use instead names a task whose name is not its own by its path", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Web");
  await belfry.text("task", "add", "Copy", "--", "true");
  await belfry.text("task", "add", "Copy", "--group", "Web", "--every", "1h", "--", "true");
  expect((await belfry.call(["schedule", "edit", "Web/Copy", "--at", "in 2h"])).stderr).toContain(
    "Add a schedule with: belfry schedule add Web/Copy --at 'in 2h'\n",
  );
});

test("what people write for a cron expression is explained with the option that works", async () => {
  await using belfry = await startBelfry();
  const refused = async (cron: string) =>
    (await belfry.call(["task", "add", "x", "--cron", cron, "--", "true"])).stderr.trimEnd();
  expect(await refused("*/90 * * * *")).toMatch(/; for a fixed interval, use --every 90m$/);
  expect(await refused("hourly")).toBe('belfry: --cron "hourly" is not a cron expression: use --cron "@hourly"');
  expect(await refused("*-*-* 02:00:00")).toMatch(
    /has the form of OnCalendar in systemd, .*: use --cron "0 2 \* \* \*"; docs\/from-systemd-timers\.md has/,
  );
});

test("a script that does not exist where the task starts is warned about", async () => {
  await using belfry = await startBelfry();
  await using home = await tempDir();
  const add = (name: string, ...words: readonly string[]) =>
    belfry.call(["task", "add", name, ...words], { environment: { HOME: home.path } });
  expect(await add("a", "--", "./backup.sh")).toMatchObject({
    code: 0,
    stderr: `Warning: ./backup.sh does not exist in ${home.path}, where the task starts. Use --cwd, or the absolute path of the script\n`,
  });
  expect(await add("b", "--cwd", import.meta.dirname, "--", "sh", "./names.test.ts")).toMatchObject({
    code: 0,
    stderr: "",
  });
  const edit = (...words: readonly string[]) =>
    belfry.call(["task", "edit", "b", ...words], { environment: { HOME: home.path } });
  expect(await edit("--priority", "3")).toMatchObject({ code: 0, stderr: "" });
  const warning = `Warning: ./names.test.ts does not exist in ${home.path}, where the task starts. Use --cwd, or the absolute path of the script\n`;
  expect(await edit("--no-cwd")).toMatchObject({ code: 0, stderr: warning });
  // only a change of the start is looked at
  expect(await edit("--priority", "4")).toMatchObject({ code: 0, stderr: "" });
  const editor = `sed -i 's/names.test/other.test/'`;
  const inEditor = await belfry.call(["task", "edit", "b"], { environment: { HOME: home.path, EDITOR: editor } });
  expect(inEditor).toMatchObject({ code: 0, stderr: warning.replace("names", "other") });
});
