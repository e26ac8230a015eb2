import type { Agenda, GroupList, Preview, Schedule, ScheduleList } from "@belfry/client";
import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

test("a schedule is previewed before it is added, with clock changes", async () => {
  await using belfry = await startBelfry();
  const words = [
    "schedule",
    "preview",
    "--cron",
    "30 2 * * *",
    "--tz",
    "America/New_York",
    "--from",
    "2026-03-07T12:00:00Z",
    "-n",
    "2",
  ];
  expect(await belfry.json(...words)).toMatchObject({
    time_zone: "America/New_York",
    occurrences: [{ local: "2026-03-08T03:00:00-04:00", dst_note: "gap" }, { instant: "2026-03-09T06:30:00.000Z" }],
  });
  expect(await belfry.text(...words)).toMatch(
    /2026-03-08 03:00:00 -04:00 .* instead of 02:30: the clocks go forward 1 hour\n/,
  );
});

const clockChanges: readonly (readonly [zone: string, from: string, expression: string, output: RegExp])[] = [
  [
    "America/New_York",
    "2026-03-08T05:00:00Z",
    "0 */2 * * *",
    /2026-03-08 02:00:00 +- +- +02:00 does not run: the clocks go forward 1 hour\n2026-03-08 04:00:00 -04:00/,
  ],
  [
    "Australia/Lord_Howe",
    "2026-10-03T15:10:00Z",
    "*/20 * * * *",
    /2026-10-04 02:00:00 +- +- +02:00, 02:20 do not run: the clocks go forward 30 minutes\n2026-10-04 02:40:00 \+11:00/,
  ],
  [
    "America/New_York",
    "2026-03-08T06:50:00Z",
    "* * * * *",
    /2026-03-08 02:00:00 .* 02:00 to 02:59 \(60 times\) do not run: the clocks go forward 1 hour/,
  ],
  [
    "Pacific/Apia",
    "2011-12-30T00:00:00Z",
    "0 6 * * *",
    /2011-12-31 00:00:00 \+14:00 .* instead of 06:00: the clocks go forward 24 hours/,
  ],
  [
    "America/New_York",
    "2026-11-01T04:30:00Z",
    "0 * * * *",
    /01:00:00 -04:00 .* first of two: the clocks go back 1 hour\n.*01:00:00 -05:00 .* second of two: the clocks go back 1 hour/,
  ],
];
test.each(clockChanges)(
  "in %s from %s the preview of %s explains the clock change",
  async (zone, from, expression, output) => {
    await using belfry = await startBelfry();
    const words = ["--cron", expression, "--tz", zone, "--from", from, "-n", "12"];
    expect(await belfry.text("schedule", "preview", ...words)).toMatch(output);
  },
);

test("the preview of a boot schedule says when it runs", async () => {
  await using belfry = await startBelfry();
  expect(await belfry.text("schedule", "preview", "--boot")).toBe("The schedule runs once after each boot\n");
  await belfry.text("task", "add", "Cleanup", "--boot", "--", "true");
  expect(await belfry.text("schedule", "preview", "Cleanup")).toBe("The schedule runs once after each boot\n");
});

test("a disabled boot schedule does not announce a run", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Cleanup", "--", "true");
  expect(await belfry.text("schedule", "add", "Cleanup", "--boot", "--disabled")).toMatch(
    /: no runs until the schedule is enabled\n$/,
  );
  expect(await belfry.text("schedule", "pause", "Cleanup")).toMatch(/until it is resumed\n$/);
  await belfry.text("schedule", "enable", "Cleanup");
  expect(await belfry.text("schedule", "resume", "Cleanup")).toMatch(/: runs at the next boot\n$/);
});

test("the preview and the agenda show the due times of a schedule with jitter", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Poll", "--every", "1h", "--jitter", "30m", "--", "true");
  const { occurrences } = await belfry.json<Preview>("schedule", "preview", "Poll", "-n", "1");
  const due = occurrences[0]!.due_at.slice(14, 19);
  expect(await belfry.text("schedule", "preview", "Poll", "-n", "1")).toMatch(new RegExp(`WITH JITTER[^]*:${due}`));
  expect(await belfry.text("agenda", "--until", "in 90m")).toMatch(new RegExp(`WITH JITTER[^]*:${due}`));
  expect(await belfry.text("schedule", "preview", "--every", "1h")).not.toContain("WITH JITTER");
});

test("a schedule is added, found by its task, changed, paused, resumed and deleted", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Backup", "--", "true");
  expect(await belfry.text("schedule", "add", "Backup", "--every", "1h", "--missed", "run_all")).toMatch(
    /^Added a schedule to task "Backup" \(sch_\w{20}\): next run/,
  );
  expect(await belfry.text("schedule", "edit", "Backup", "--every", "2h", "--missed-window", "2d")).toMatch(
    /^Changed the schedule of task "Backup": next run/,
  );
  expect(await belfry.json("schedule", "show", "backup")).toMatchObject({
    every: "2h",
    misfire: { policy: "run_all", window: "2d" },
  });
  expect(await belfry.text("schedule", "show", "backup")).toMatch(
    /When {2,}every 2h\n[^]*Interval counted from {2,}\d{4}-.*\((?:now|.* ago)\)/,
  );
  expect(await belfry.text("schedule", "pause", "Backup", "--until", "2h")).toMatch(
    /^Paused schedule "every 2h" of task "Backup" until \d{4}/,
  );
  expect(await belfry.text("schedule", "show", "Backup")).toMatch(/State {2,}paused/);
  expect(await belfry.text("schedule", "resume", "Backup")).toMatch(
    /^Resumed schedule "every 2h" of task "Backup": next run/,
  );
  expect(await belfry.text("schedule", "edit", "Backup", "--jitter", "5m")).toMatch(/\), up to 5m later\n$/);
  // the name of a schedule is often the same in many tasks
  const disabled = await belfry.text("schedule", "disable", "Backup");
  expect(disabled).toBe('Disabled schedule "every 2h" of task "Backup"\n');
  expect(await belfry.text("schedule", "list")).toMatch(/every 2h .* disabled/);
  await belfry.text("schedule", "enable", "Backup");
  expect(await belfry.text("schedule", "delete", "Backup")).toBe('Deleted schedule "every 2h" of task "Backup"\n');
  expect(await belfry.call(["schedule", "show", "Backup"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("has no schedule"),
  });
});

test("an edit refuses options that would do nothing for the schedule as it will be, and changes nothing", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Once", "--every", "1h", "--", "true");
  await belfry.text("task", "add", "All", "--every", "1h", "--missed", "run_all", "--", "true");
  await belfry.text("task", "add", "Skip", "--every", "1h", "--missed", "skip", "--", "true");
  const edit = (...words: readonly string[]) => belfry.call(["schedule", "edit", ...words]);
  const refusals: readonly (readonly [words: readonly string[], message: string])[] = [
    [["Once", "--missed", "run_once", "--missed-max", "3"], "--missed-max requires --missed run_all"],
    [["Once", "--missed-max", "7"], "--missed-max requires --missed run_all, and this schedule has --missed run_once"],
    [["All", "--missed", "skip", "--missed-max", "7"], "--missed-max requires --missed run_all"],
    [
      ["Skip", "--missed-window", "2h"],
      "--missed-window requires --missed run_once or run_all, and this schedule has --missed skip",
    ],
    [
      ["All", "--missed", "skip", "--missed-window", "2h"],
      "--missed-window and --missed skip cannot be combined: no missed time runs, whatever its age",
    ],
  ];
  for (const [words, message] of refusals)
    expect(await edit(...words), words.join(" ")).toEqual({ code: 2, stdout: "", stderr: `belfry: ${message}\n` });
  for (const task of ["Once", "All", "Skip"])
    expect(await belfry.json("schedule", "show", task)).toMatchObject({ revision: 1 });
  expect((await edit("All", "--missed-max", "7")).code).toBe(0);
  expect((await edit("Skip", "--missed", "run_all", "--missed-max", "7", "--missed-window", "2h")).code).toBe(0);
  expect(await belfry.json("schedule", "show", "Skip")).toMatchObject({
    misfire: { policy: "run_all", max_runs: 7, window: "2h" },
  });
});

test("a spread is refused, as an option, for schedules whose times do not repeat", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Report", "--at", "in 2h", "--", "true");
  const hint = "To start a run later by a random time, use --jitter";
  const requirement = "belfry: --spread requires --cron or --every";
  const refusals: readonly (readonly [words: readonly string[], message: string])[] = [
    [["schedule", "add", "Report", "--boot", "--spread"], requirement],
    [["schedule", "add", "Report", "--at", "in 3h", "--spread"], requirement],
    [["schedule", "preview", "--at", "in 3h", "--spread"], requirement],
    [["task", "add", "x", "--boot", "--spread", "--", "true"], requirement],
    [["schedule", "edit", "Report", "--spread"], `${requirement}, and this schedule was made with --at`],
    [["schedule", "edit", "Report", "--no-spread"], `${requirement}, and this schedule was made with --at`],
  ];
  for (const [words, message] of refusals)
    expect(await belfry.call(words), words.join(" ")).toEqual({ code: 2, stdout: "", stderr: `${message}\n${hint}\n` });
  expect((await belfry.call(["schedule", "add", "Report", "--every", "1h", "--spread"])).code).toBe(0);
});

test("a schedule that runs once has one name everywhere, which can be typed", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Report", "--at", "in 2h", "--", "true");
  const { name, at } = await belfry.json<Schedule>("schedule", "show", "Report");
  expect(name).toBe(`at ${at}`);
  for (const words of [["task", "list"], ["schedule", "list"], ["schedule", "show", name], ["agenda"], ["status"]])
    expect(await belfry.text(...words), words.join(" ")).toContain(name);
  expect(await belfry.text("why", "Report", "--at", at!)).toContain(`  ${name}, `);
  expect(await belfry.text("schedule", "pause", name)).toMatch(/^Paused schedule/);
});

test("the name of a task with several schedules does not identify a schedule, and the error lists their names", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Backup", "--cron", "0 3 * * *", "--", "true");
  await belfry.text("schedule", "add", "Backup", "--cron", "0 15 * * *", "--name", "afternoon");
  const { code, stderr } = await belfry.call(["schedule", "show", "Backup"]);
  expect([code, stderr]).toMatchObject([2, expect.stringMatching(/has 2 schedules[^]*Backup\/afternoon/)]);
  expect(await belfry.json("schedule", "show", "backup/afternoon")).toMatchObject({ expression: "0 15 * * *" });
  expect(await belfry.json("schedule", "show", "afternoon")).toMatchObject({ expression: "0 15 * * *" });
});

test("local times are read in the zone of --tz, or in the own zone of the schedule", async () => {
  await using belfry = await startBelfry();
  const zone = ["--cron", "0 * * * *", "--tz", "America/New_York"];
  const firstOf = async (...words: readonly string[]) =>
    (await belfry.json<Preview>("schedule", "preview", ...words, "-n", "1")).occurrences[0]?.local;
  expect(await firstOf(...zone, "--from", "2027-03-05 23:30")).toBe("2027-03-06T00:00:00-05:00");
  expect(await firstOf(...zone, "--starts-at", "2027-07-06 07:30")).toBe("2027-07-06T08:00:00-04:00");
  await belfry.text("task", "add", "Far", ...zone, "--starts-at", "2027-03-06 00:00", "--", "true");
  expect(await belfry.json("schedule", "show", "Far")).toMatchObject({ starts_at: "2027-03-06T05:00:00.000Z" });
  expect(await firstOf("Far", "--from", "2027-07-06 07:30")).toBe("2027-07-06T08:00:00-04:00");
  await belfry.text("schedule", "edit", "Far", "--ends-at", "2027-08-01 00:00");
  expect(await belfry.json("schedule", "show", "Far")).toMatchObject({ ends_at: "2027-08-01T04:00:00.000Z" });
  await belfry.text("schedule", "edit", "Far", "--tz", "Asia/Tokyo", "--ends-at", "2027-08-01 00:00");
  expect(await belfry.json("schedule", "show", "Far")).toMatchObject({ ends_at: "2027-07-31T15:00:00.000Z" });
  expect(await belfry.call(["schedule", "preview", ...zone, "--from", "2027-03-14 02:30"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      "does not exist in America/New_York: the clocks go forward from 2027-03-14 02:00 to 2027-03-14 03:00",
    ),
  });
});

test("a time for --at that the clocks skip or repeat is explained", async () => {
  await using belfry = await startBelfry();
  const zone = process.env["TZ"];
  process.env["TZ"] = "Europe/Berlin";
  try {
    const add = (name: string, at: string) => belfry.call(["task", "add", name, "--at", at, "--", "true"]);
    expect(await add("Gap", "2027-03-28 02:30")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'belfry: the time "2027-03-28 02:30" for --at does not exist in Europe/Berlin: the clocks go forward from 2027-03-28 02:00 to 2027-03-28 03:00\nUse "2027-03-28 03:00" or a later time\n',
    });
    expect(await add("Twice", "2027-10-31 02:30")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("next run 2027-10-31 02:30:00 +02:00"),
      stderr: expect.stringContaining('To choose the second, use "2027-10-31 02:30 +01:00"\n'),
    });
    expect(await add("Second", "2027-10-31 02:30 +01:00")).toMatchObject({
      stdout: expect.stringContaining("next run 2027-10-31 02:30:00 +01:00"),
    });
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});

test("why says that a schedule is paused or disabled now, and the command that starts it again", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "P1", "--cron", "0 3 * * *", "--", "true");
  const { id } = await belfry.json<Schedule>("schedule", "show", "P1");
  const why = async (...more: readonly string[]) => {
    const { stdout, stderr } = await belfry.call(["why", "P1", ...more]);
    return { lines: stdout.split("\n").slice(1, -1), head: stdout.split(". At ")[0], stderr };
  };
  expect(await why()).toMatchObject({ head: "P1 can start now", stderr: "" });
  await belfry.text("schedule", "pause", "P1");
  const none = "No run was scheduled at or before this time";
  expect(await why()).toEqual({
    head: "P1 can start now, but no schedule starts it",
    lines: [`  0 3 * * *: ${none}; the schedule is paused`, "  0 3 * * * is paused now, until you resume it"],
    stderr: `Resume schedule "0 3 * * *" with: belfry schedule resume ${id}\n`,
  });
  await belfry.text("schedule", "pause", "P1", "--until", "2h");
  expect((await why()).lines[1]).toMatch(/^ {2}0 3 \* \* \* is paused now, until \d{4}-/);
  await belfry.text("schedule", "disable", "P1");
  expect(await why()).toMatchObject({
    lines: [`  0 3 * * *: ${none}; the schedule is disabled`, "  0 3 * * * is disabled now, until you enable it"],
    stderr: `Enable schedule "0 3 * * *" with: belfry schedule enable ${id}\n`,
  });
  await belfry.text("schedule", "enable", "P1");
  await belfry.text("schedule", "resume", "P1");
  expect(await why()).toMatchObject({ head: "P1 can start now", stderr: "" });
});

test("agenda lists upcoming runs, and why explains past ones", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Backup", "--every", "1h", "--", "true");
  const { entries } = await belfry.json<Agenda>("agenda", "--until", "in 150m");
  expect(entries).toHaveLength(2);
  expect(await belfry.text("agenda", "--until", "in 150m")).toMatch(/in \d+m.* Backup/);
  expect(await belfry.text("agenda", "--until", "in 5m")).toMatch(
    /^No runs are scheduled in this period, which ends at \d/,
  );
  expect(await belfry.text("why", "Backup")).toMatch(
    /^Backup can start now[^]*every 1h: .* \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]/,
  );
  await belfry.text("task", "disable", "Backup");
  expect(await belfry.text("why", "Backup")).toMatch(/^Backup cannot start now \(task disabled\)/);
});

test("the agenda explains clock changes and skipped times", async () => {
  await using belfry = await startBelfry({ clock: new ManualClock("2026-03-08T05:30:00Z") });
  await belfry.text("task", "add", "Nightly", "--cron", "30 2 * * *", "--tz", "America/New_York", "--", "true");
  await belfry.text("task", "add", "Hourly", "--cron", "0 * * * *", "--tz", "America/New_York", "--", "true");
  const span = ["--from", "2026-03-08T05:30:00Z", "--until", "2026-03-08T08:30:00Z"];
  const output = await belfry.text("agenda", ...span);
  expect(output).toMatch(/Nightly .* instead of 02:30: the clocks go forward 1 hour\n/);
  expect(output).toMatch(
    /- .*Hourly .* 2026-03-08 02:00 does not run: the clocks go forward 1 hour in America\/New_York\n/,
  );
  await belfry.text("task", "delete", "Hourly");
  await belfry.text("schedule", "edit", "Nightly", "--dst-gap", "skip");
  expect(await belfry.text("agenda", ...span)).toMatch(/^WHEN[^]*- .*Nightly .* 02:30 does not run/);
});

test("lists of schedules and groups can be filtered", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Web", "--label", "team=web", "--cron", "0 3 * * *", "--", "true");
  await belfry.text("task", "add", "Db", "--label", "team=db", "--every", "1h", "--", "true");
  const tasksOf = async (...words: readonly string[]) =>
    (await belfry.json<ScheduleList>("schedule", "list", ...words)).schedules.map(({ task_name }) => task_name).sort();
  expect(await tasksOf("--label", "team")).toEqual(["Db", "Web"]);
  expect(await tasksOf("--label", "team=web")).toEqual(["Web"]);
  expect(await tasksOf("--name", "every")).toEqual(["Db"]);
  expect((await belfry.call(["schedule", "list", "--label", "nothing"])).stderr).toBe("No schedules match\n");
  await belfry.text("group", "add", "Outer");
  await belfry.text("group", "add", "Inner", "--parent", "Outer", "--disabled");
  const groupsOf = async (...words: readonly string[]) =>
    (await belfry.json<GroupList>("group", "list", ...words)).groups.map(({ name }) => name);
  expect(await groupsOf("--parent", "Outer")).toEqual(["Inner"]);
  expect(await groupsOf("--disabled")).toEqual(["Inner"]);
  expect(await groupsOf("--enabled")).toEqual(["Outer"]);
  expect(await belfry.text("group", "list", "--disabled")).toMatch(/Inner {2,}Outer/);
  expect((await belfry.call(["group", "list", "--parent", "Inner"])).stderr).toBe("No groups match\n");
});

test("a group gives its tasks a time zone, a limit and variables", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Storage", "--tz", "Asia/Tokyo", "--limit", "2");
  await belfry.call(["group", "add", "Backups", "--parent", "Storage", "--env", "LEVEL"], {
    environment: { LEVEL: "1" },
  });
  await belfry.text("task", "add", "Nightly", "--group", "Backups", "--cron", "0 3 * * *", "--", "true");
  expect((await belfry.json<Schedule>("schedule", "show", "Nightly")).effective_time_zone).toBe("Asia/Tokyo");
  expect(await belfry.text("group", "list")).toMatch(/Backups {2,}Storage/);
  expect(await belfry.text("group", "show", "Backups")).toMatch(/Environment {2,}LEVEL\n[^]*Nightly/);
  await belfry.text("group", "disable", "Storage");
  expect(await belfry.text("task", "list")).toMatch(/Nightly .* group blocked/);
  expect(await belfry.call(["group", "delete", "Backups"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("See what is in it with: belfry task list --group Backups"),
  });
  await belfry.text("group", "edit", "Backups", "--no-parent", "--unset-env", "LEVEL", "--name", "Copies");
  expect(await belfry.json("group", "show", "Copies")).toMatchObject({ parent_id: null, environment_names: [] });
});
