import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

test("runs that a hold skips are marked, and those after its end are not", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Backups");
  await belfry.text("group", "add", "Inner", "--parent", "Backups");
  await belfry.text("task", "add", "Often", "--group", "Inner", "--every", "5m", "--", "true");
  await belfry.text("task", "add", "Later", "--group", "Backups", "--every", "3h", "--", "true");
  await belfry.text("task", "add", "Free", "--every", "10m", "--", "true");
  await belfry.text("hold", "--group", "Backups", "--until", "2h");
  const until = String.raw`skipped while held, until \d{4}-\S+ \S+ [+-]\d\d:\d\d`;
  const lines = async (...words: readonly string[]) => {
    const text = await belfry.text(...words);
    return (name: string) => text.split("\n").find((line) => new RegExp(`\\b${name}\\b`).test(line));
  };
  const agenda = await lines("agenda");
  expect(agenda("Often")).toMatch(new RegExp(`every 5m, .* times; ${until}$`));
  expect(agenda("Later")).not.toContain("skipped");
  expect(agenda("Free")).not.toContain("skipped");
  const status = await lines("status");
  expect(status("Often")).toMatch(/; skipped while held$/);
  expect(status("Free")).not.toContain("skipped");
  const list = await lines("task", "list");
  expect(list("Often")).toMatch(/ skipped: held +held$/);
  expect(list("Later")).toMatch(/ in 2h \d+m +held$/);
  expect(list("Free")).toMatch(/ in \d+m( \d+s)? +ready$/);
  const add = (...words: readonly string[]) => belfry.text("task", "add", ...words, "--every", "5m", "--", "true");
  expect(await add("More", "--group", "Inner")).toMatch(new RegExp(String.raw`, held: next run \S.*\), ${until}\n`));
  expect(await add("Other")).not.toContain("held");
  await belfry.text("hold");
  expect((await lines("agenda"))("Free")).toMatch(/; skipped while held$/);
  expect((await lines("task", "list"))("Later")).toMatch(/ skipped: held +held$/);
  await belfry.text("release");
  await belfry.text("release", "--group", "Backups");
  expect(await belfry.text("agenda")).not.toContain("held");
  expect(await belfry.text("task", "list")).not.toContain("held");
});

test("tasks are held and released, and why, doctor and the list say until when and why", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Backups");
  await belfry.text("task", "add", "Copy", "--group", "Backups", "--", "true");
  const held = await belfry.call(["hold", "--reason", "Database upgrade"]);
  expect(held).toMatchObject({ code: 0, stdout: "All tasks are held until you release them: Database upgrade\n" });
  expect(held.stderr).toMatch(/Release with: belfry release\n/);
  await belfry.text("hold", "--group", "backups", "--until", "2h");

  const refused = await belfry.call(["task", "run", "Copy"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/the task is held: release the hold first, or wait for its end if it has one/);
  expect(refused.stderr).toContain(
    "\nAll tasks are held until you release them: Database upgrade. Release with: belfry release\n",
  );
  expect(await belfry.text("holds")).toMatch(/tasks of group "Backups"[^]*all tasks .*Database upgrade/);
  expect(await belfry.text("task", "list")).toMatch(/Copy .*held/);
  const why = await belfry.call(["why", "Copy"]);
  expect(why.stdout).toMatch(/cannot start now \(held\)/);
  expect(why.stderr).toMatch(
    /All tasks are held until you release them: Database upgrade. Release with: belfry release/,
  );
  expect((await belfry.call(["agenda"])).stderr).toMatch(
    /^All tasks are held until you release them: Database upgrade\. Release with: belfry release$/m,
  );
  expect(await belfry.text("task", "add", "Late", "--cron", "0 3 * * *", "--", "true")).toMatch(/, held: next run /);
  const { stdout: findings } = await belfry.call(["doctor"]);
  expect(findings).toMatch(/warn\tholds\t.*belfry release --group/);
  expect(findings).toMatch(/ok\tschedules\t\d+ enabled; next run at [^,]+, skipped while held\n/);

  const released = await belfry.call(["release"]);
  expect(released).toMatchObject({ code: 0, stdout: "Released all tasks\n" });
  expect(released.stderr).toMatch(/Other holds remain/);
  expect((await belfry.call(["why", "Copy"])).stderr).toMatch(/tasks of group "Backups" are held until/);
  await belfry.text("release", "--group", "Backups");
  expect((await belfry.call(["holds"])).stderr).toMatch(/Nothing is held/);
  expect(await belfry.call(["release"])).toMatchObject({
    code: 1,
    stderr: "belfry: nothing is held: there is no hold to release\n",
  });
});

test("a second hold says what it replaces", async () => {
  await using belfry = await startBelfry();
  await belfry.text("hold", "--until", "2h", "--reason", "Database upgrade");
  const replacing = await belfry.call(["hold"]);
  expect(replacing).toMatchObject({ code: 0, stdout: "All tasks are held until you release them\n" });
  expect(replacing.stderr).toMatch(
    /^This replaces the earlier hold: All tasks are held until \S+ \S+.*: Database upgrade\nRelease with: belfry release\n$/,
  );
  expect((await belfry.call(["hold"])).stderr).toBe("Release with: belfry release\n");
});
