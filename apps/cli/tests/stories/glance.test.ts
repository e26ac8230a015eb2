import type { Preview, RunList, Task, TaskList } from "@belfry/client";
import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { fakeDaemon } from "../../../../packages/client/tests/fake-daemon.ts";
import { formatLocal } from "../../src/output/time.ts";
import { startBelfry } from "../belfry.ts";
import { callBelfry } from "../call.ts";

type Belfry = Awaited<ReturnType<typeof startBelfry>>;

/** Runs a task to its end. */
async function run(belfry: Belfry, name: string): Promise<void> {
  await belfry.call(["task", "run", name, "--wait"]);
}

/** The cells of a task's line in `belfry task list`, as another program reads them. */
async function lineOf(belfry: Belfry, name: string, ...more: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await belfry.call(["task", "list", ...more]);
  return stdout.split("\n").flatMap((line) => (line.startsWith(`${name}\t`) ? [line.split("\t")] : []))[0] ?? [];
}

test("the list shows schedule, last result with its age, next run and state of each task", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Backups");
  await belfry.text("task", "add", "Good", "--group", "Backups", "--cron", "0 3 * * *", "--", "true");
  await belfry.text("task", "add", "Bad", "--every", "2h", "--shell", "exit 3");
  await belfry.text("task", "add", "New", "--", "true");
  await belfry.text("schedule", "add", "Good", "--every", "1d");
  await run(belfry, "Good");
  for (let count = 0; count < 3; count += 1) await run(belfry, "Bad");
  const { stdout } = await belfry.call(["task", "list"]);
  expect(stdout).toMatch(/^NAME\tGROUP\tSCHEDULE\tLAST RESULT\tNEXT RUN\tSTATE\n/);
  expect(await lineOf(belfry, "Good")).toEqual([
    "Good",
    "Backups",
    expect.stringMatching(/^(0 3 \* \* \*|every 1d) and 1 more$/),
    expect.stringMatching(/^ok (now|\d+[sm] ago)$/),
    expect.stringMatching(/^in \d+[hms]/),
    "ready",
  ]);
  expect(await lineOf(belfry, "Bad")).toEqual([
    "Bad",
    "-",
    "every 2h",
    expect.stringMatching(/^exit 3, (now|\d+[sm] ago)$/),
    expect.stringMatching(/^in 1h \d+m$/),
    "failing 3x",
  ]);
  expect(await lineOf(belfry, "New")).toEqual(["New", "-", "-", "never", "-", "ready"]);
  const ungrouped = await belfry.json<TaskList>("task", "list", "--ungrouped");
  expect(ungrouped.tasks.map(({ name }) => name)).toEqual(["New", "Bad"]);
  const colored = await belfry.call(["task", "list"], { columns: 120 });
  expect(colored.stdout).toContain("\u001B[31mfailing 3x");
  expect(await belfry.json<Task>("task", "show", "Bad")).toMatchObject({
    last_run: { state: "failed", exit_code: 3 },
    recent_outcomes: [{ outcome: "failure" }, { outcome: "failure" }, { outcome: "failure" }],
  });
  expect(await belfry.text("task", "show", "Bad")).toMatch(/State {2,}failing 3x\nLast result {2,}exit 3, /);
});

test("disabled, running, paused and retrying tasks are told apart", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Off", "--disabled", "--every", "1h", "--", "true");
  await belfry.text("task", "add", "Long", "--", "sleep", "600");
  await belfry.text("task", "add", "Still", "--every", "1h", "--", "true");
  await belfry.text("task", "add", "Again", "--retries", "1", "--retry-delay", "1h", "--", "false");
  await belfry.text("schedule", "pause", "Still");
  await belfry.text("task", "run", "Long");
  await belfry.text("task", "run", "Again");
  const stateOf = async (name: string) => (await lineOf(belfry, name)).at(-1);
  await until("the run", async () => (await stateOf("Long"))?.startsWith("running") === true);
  await until("the pause", async () => (await stateOf("Again")) === "retrying");
  expect(await stateOf("Off")).toBe("disabled");
  expect((await lineOf(belfry, "Off")).at(-2)).toBe("-");
  expect(await stateOf("Still")).toBe("paused");
  expect((await belfry.call(["doctor"])).stdout).toContain("tasks\t4 tasks: 3 ready, 1 disabled\n");
  await belfry.text("run", "cancel", "Long", "--wait");
  expect(await lineOf(belfry, "Long")).toMatchObject({ 2: expect.stringMatching(/^cancelled /) });
});

test("a task whose schedules are disabled or over is not shown as if it ran again", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Off", "--cron", "0 3 * * *", "--", "true");
  await belfry.text("task", "add", "Still", "--cron", "0 4 * * *", "--", "true");
  for (const name of ["Mixed", "Once"]) await belfry.soon((at) => ["task", "add", name, "--at", at, "--", "true"]);
  await belfry.text("schedule", "disable", "Off");
  await belfry.text("schedule", "pause", "Still");
  expect(await lineOf(belfry, "Off")).toEqual(["Off", "0 3 * * * (disabled)", "never", "-", "schedule disabled"]);
  expect(await belfry.text("task", "show", "Off")).toMatch(/^State {2,}schedule disabled$/m);
  expect(await belfry.json("task", "show", "Off")).toMatchObject({ readiness: "ready", reason: "ready" });
  expect(await lineOf(belfry, "Still")).toEqual(["Still", "0 4 * * * (paused)", "never", "-", "paused"]);
  await until("both runs", async () => {
    const cells = await Promise.all(["Mixed", "Once"].map((name) => lineOf(belfry, name)));
    return cells.every(([, , last]) => last?.startsWith("ok ") === true);
  });
  expect(await lineOf(belfry, "Once")).toMatchObject({ 1: expect.stringMatching(/^at .* \(done\)$/), 4: "ready" });
  await belfry.text("schedule", "add", "Mixed", "--cron", "0 3 * * *");
  expect(await lineOf(belfry, "Mixed")).toMatchObject({ 1: "0 3 * * * and 1 more", 4: "ready" });
  expect(await belfry.text("schedule", "list", "--task", "Once")).toMatch(/ done +- +sch_/);
  expect(await belfry.text("task", "show", "Mixed")).toMatch(/\n0 3 \* \* \* .* enabled .*\nat .* done +- +sch_/);
  const why = await belfry.text("why", "Once");
  expect(why).toMatch(
    /^ {2}at \d{4}-\d\d-\d\dT\S+Z, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d: The run exited with code 0/m,
  );
});

test("ids and exact times are shown with --wide, and --columns chooses", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Good", "--every", "1h", "--", "true");
  const [{ id, next_run_at }] = (await belfry.json<{ tasks: [Task] }>("task", "list")).tasks;
  expect((await belfry.call(["task", "list"])).stdout).not.toContain(id);
  expect((await lineOf(belfry, "Good", "--wide")).at(-1)).toBe(id);
  expect((await belfry.call(["task", "list", "--wide"])).stdout).toMatch(/\tNEXT TIME( \+\d\d:\d\d)?\tID\n/);
  expect((await belfry.call(["task", "list", "--columns", "id,state,name"])).stdout).toBe(
    `ID\tSTATE\tNAME\n${id}\tready\tGood\n`,
  );
  expect(next_run_at).not.toBeNull();
  for (const [given, message] of [
    [["--columns", "size"], 'invalid value "size" for --columns. Use any of name, group, '],
    [["--columns", "id", "--wide"], "--columns and --wide cannot be combined"],
    [["--wide", "--json"], "--wide cannot be combined with --json"],
    [["--enabled", "--disabled"], "--enabled and --disabled cannot be combined"],
    [["--group", "Backups", "--ungrouped"], "--group and --ungrouped cannot be combined"],
  ] as const)
    expect(await belfry.call(["task", "list", ...given])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
});

test("a terminal that does not know its size gets tables of 80 columns", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Backup", "--cron", "0 3 * * *", "--", "true");
  await run(belfry, "Backup");
  for (const command of [["task", "list"], ["status"], ["run", "list"], ["timeline"], ["--help"]]) {
    const { code, stdout, stderr } = await belfry.call(command, { columns: 0 });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(command[0] === "--help" ? /^Usage/ : /Backup/);
  }
});

test("at 60 columns every column of the list is there", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Databases of the web team");
  const name = "Nightly backup of the customer database";
  await belfry.text("task", "add", name, "--group", "Databases of the web team", "--cron", "0 3 * * 1-5", "--", "true");
  await run(belfry, name);
  const { stdout } = await belfry.call(["task", "list"], { columns: 60, environment: { NO_COLOR: "1" } });
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  for (const text of [name, "Databases of the web team", "0 3 * * 1-5", "ok ", "in ", "ready"])
    expect(stdout).toContain(text);
});

test("status shows what runs beside its usual duration, what has failed since yesterday, what is next, and the queue", async () => {
  await using belfry = await startBelfry();
  // a task of its own: the runs of each minute would wait behind the long one
  await belfry.text("task", "add", "Often", "--cron", "* * * * *", "--", "true");
  await belfry.text("task", "add", "Long", "--", "sleep", "600");
  await belfry.text("task", "add", "Bad", "--", "false");
  await belfry.text("task", "add", "Mixed", "--shell", 'exit "$(( BELFRY_ATTEMPT % 2 ))"');
  for (const name of ["Bad", "Bad", "Mixed"]) await run(belfry, name);
  await belfry.text("task", "edit", "Mixed", "--", "true");
  await run(belfry, "Mixed");
  await belfry.text("task", "run", "Long");
  await belfry.text("task", "run", "Long");
  await belfry.text("task", "run", "Mixed", "--at", "in 1h");
  const text = await until("the run", async () => {
    const status = await belfry.text("status");
    return /; 1 running, 2 queued [^]*\nLong +\d[\dms ]*- /.test(status) ? status : null;
  });
  expect(text).toMatch(/^Belfry \d\S+; 1 running, 2 queued \(1 for a later time\)\n/);
  expect(text).toMatch(/\nRunning\nTASK +ELAPSED +USUAL +STATE +ID\nLong +\d[\dms ]* +- +running +run_\w+\n/);
  expect(text).toMatch(
    /\nFailed since yesterday\nTASK +FAILURES +LAST +REASON +NOW\nMixed +1 +\S.* +exit 1 +ok again\nBad +2 +\S.* +exit 1 +failing\n/,
  );
  expect(text).toMatch(
    /\nNext\nIN +TASK +SCHEDULE +TIME.* +NOTE\n(now|\d+[sm]) +Often +\* \* \* \* \* +\S.* every minute\n/,
  );
  await belfry.text("manifest", "rename", "db 1");
  expect(await belfry.text("status")).toMatch(/^db 1: Belfry \d\S+; /);
  await belfry.text("hold", "--reason", "upgrade");
  // a run of each minute may have started before
  await until(
    "the long run alone",
    async () => (await belfry.json<{ readonly running: readonly unknown[] }>("ps")).running.length === 1,
  );
  expect(await belfry.text("status")).toContain("\nAll tasks are held until you release them: upgrade. Release with: ");
  expect(await belfry.json("status")).toMatchObject({
    holds: [{ reason: "upgrade" }],
    running: [{ run: { task_name: "Long", state: "running" }, usual_ms: null }],
    queued: { waiting: 1, retrying: 0, later: 1 },
    failed: [
      { run: { task_name: "Mixed" }, failures: 1, has_recovered: true },
      { run: { task_name: "Bad" }, failures: 2, has_recovered: false },
    ],
    next: [{ task_name: "Often", every: "1m" }],
  });
});

test("the agenda has one line for a task that runs every minute, and is limited to a task or a group", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Backups");
  await belfry.text("task", "add", "Often", "--cron", "* * * * *", "--", "true");
  await belfry.text("task", "add", "Daily", "--group", "Backups", "--cron", "0 3 * * *", "--", "true");
  const lines = async (...more: readonly string[]) =>
    (await belfry.text("agenda", ...more)).trimEnd().split("\n").slice(1);
  expect(await lines()).toHaveLength(2);
  expect((await lines()).filter((line) => line.includes("Often"))).toEqual([
    expect.stringMatching(/ every minute, 1,440 times$/),
  ]);
  expect(await lines("--all", "-n", "50")).toHaveLength(50);
  expect(await lines("--task", "Daily")).toEqual([expect.stringContaining("Daily")]);
  expect(await lines("--group", "Backups")).toEqual([expect.stringContaining("Daily")]);
});

test("doctor reports a schedule that is late, and not one that waits for its jitter", async () => {
  await using belfry = await startBelfry();
  const preview = async () => {
    // the delay is random: a short one shows nothing
    for (;;) {
      await belfry.text("task", "add", "Clean", "--every", "1d", "--jitter", "1d", "--", "true");
      const { occurrences } = await belfry.json<Preview>("schedule", "preview", "Clean", "--count", "1");
      const [atMs, dueMs] = [Date.parse(occurrences[0]!.instant), Date.parse(occurrences[0]!.due_at)];
      if (dueMs > atMs + 600_000) return { atMs, dueMs };
      await belfry.text("task", "delete", "Clean");
    }
  };
  const { atMs, dueMs } = await preview();
  const doctorAt = async (nowMs: number) => (await belfry.call(["doctor"], { nowMs })).stdout;
  expect(await doctorAt(atMs + 300_000)).toMatch(/^ok\tschedules\t1 enabled/m);
  expect(await doctorAt(dueMs + 30_000)).toMatch(/^ok\tschedules\t1 enabled/m);
  expect(await doctorAt(dueMs + 120_000)).toMatch(
    /^ERROR\tschedules\toverdue by more than one minute: Clean\/every 1d/m,
  );
});

test("doctor reports the failures of tasks that still exist", async () => {
  await using belfry = await startBelfry();
  for (const name of ["Gone", "Kept"]) {
    await belfry.text("task", "add", name, "--", "false");
    await run(belfry, name);
  }
  await belfry.text("task", "delete", "Gone");
  expect(await belfry.text("doctor")).toMatch(/warn +runs +latest run failed: Kept\. /);
  await belfry.text("task", "delete", "Kept");
  expect(await belfry.text("doctor")).toMatch(/ok +runs +no task's latest run failed/);
});

test("run list shows and sorts by the scheduled times, also of late and missed runs", async () => {
  await using directory = await tempDir("bf-");
  const options = { clock: new ManualClock("2026-03-01T00:30:00Z"), dataDir: directory.path };
  {
    await using belfry = await startBelfry(options);
    const add = (name: string, missed: string) =>
      belfry.text("task", "add", name, "--cron", "0 * * * *", "--tz", "UTC", "--missed", missed, "--", "true");
    await add("Each", "run_all");
    await add("None", "skip");
  }
  await options.clock.advance(3 * 3_600_000);
  await using belfry = await startBelfry(options);
  await until("the runs", async () => {
    const { runs } = await belfry.json<RunList>("run", "list");
    return runs.length === 4 && runs.every(({ ended_at }) => ended_at !== null);
  });
  const cellsOf = async (...more: readonly string[]) =>
    (await belfry.call(["run", "list", ...more])).stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
  const [head, ...rows] = await cellsOf("--task", "Each");
  expect(head?.map((title) => title.replace(/ [+-]\d\d:\d\d$/, ""))).toEqual([
    "SCHEDULED",
    "TASK",
    "STATE",
    "DURATION",
    "TRIGGER",
    "ID",
  ]);
  const utc = (hour: number) => formatLocal(`2026-03-01T0${hour}:00:00.000Z`).slice(0, 19);
  expect(rows.map(([scheduled, , state]) => [scheduled, state])).toEqual([
    [utc(3), "succeeded"],
    [utc(2), "succeeded"],
    [utc(1), "succeeded"],
  ]);
  const [, missed] = await cellsOf("--task", "None");
  expect(missed).toMatchObject({ 1: "None", 2: "skipped: missed" });
  const [wide, first] = await cellsOf("--wide", "--task", "Each");
  expect(wide?.slice(1, 3).map((title) => title.split(" ")[0])).toEqual(["STARTED", "FINISHED"]);
  expect(first?.slice(1, 3)).toEqual([expect.stringMatching(/^\d{4}-/), expect.stringMatching(/^\d{4}-/)]);
  expect(await belfry.call(["run", "list", "--wide", "--json"])).toMatchObject({ code: 2 });
});

test("run list --failed shows only failures", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Good", "--", "true");
  await belfry.text("task", "add", "Bad", "--", "false");
  for (const name of ["Good", "Bad"]) await run(belfry, name);
  expect((await belfry.text("run", "list", "--failed")).split("\n")).toHaveLength(3);
});

test("runs that were queued together are listed by their scheduled times", async () => {
  const runs = [3, 1, 2].map((hour) => ({
    id: `run_4fzH1TqWb8YkV0c2LxN${hour}`,
    task_id: "tsk_4fzH1TqWb8YkV0c2LxNd",
    task_name: `Hour ${hour}`,
    group_name: null,
    state: "queued",
    queued_at: "2026-11-22T06:00:00.000Z",
    scheduled_for: `2026-11-22T0${hour}:00:00.000Z`,
    started_at: null,
    ended_at: null,
    coalesced: 0,
  }));
  await using daemon = await fakeDaemon(() => ({ json: { runs, next_cursor: null } }));
  const { stdout } = await callBelfry(["--socket", daemon.socketPath, "run", "list"]);
  expect(stdout.match(/Hour \d/g)).toEqual(["Hour 3", "Hour 2", "Hour 1"]);
});

test("tasks of one crontab are listed by their names", async () => {
  await using belfry = await startBelfry();
  const stdin = ["c", "a", "d", "b"].map((name) => `0 3 * * * ${name}\n`).join("");
  await belfry.call(["import", "crontab", "-"], { stdin });
  await belfry.text("task", "add", "z", "--", "true");
  const { stdout } = await belfry.call(["task", "list"]);
  expect(stdout.split("\n").map((line) => line.split("\t")[0])).toEqual(["NAME", "z", "a", "b", "c", "d", ""]);
});
