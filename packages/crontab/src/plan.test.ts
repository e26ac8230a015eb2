import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lineOfField } from "./line-of-field.ts";
import { type CrontabForm, parseCrontab } from "./lines.ts";
import { planImport, type PlanOptions } from "./plan.ts";

const options: PlanOptions = {
  groupName: "g",
  parentId: null,
  source: "/etc/cron.d/g",
  owner: null,
  cronEnvironment: {},
  daemonUser: { name: "root", isRoot: true },
  unknownUsers: new Set(),
  userWords: new Map(),
  runAsMe: false,
  catchUp: false,
  noOverlap: false,
};

function plan(text: string, { form = "user", ...more }: Partial<PlanOptions> & { form?: CrontabForm } = {}) {
  return planImport(parseCrontab(text, form), { ...options, ...more });
}

function fixture(path: string): string {
  return readFileSync(new URL(`../../../apps/cli/tests/fixtures/crontabs/${path}`, import.meta.url), "utf8");
}

const shipped: readonly (readonly [file: string, tasks: readonly string[]])[] = [
  ["anacron", ["anacron: 30 7-23 * * *"]],
  ["certbot", ["certbot: 0 */12 * * *"]],
  [
    "crontab",
    ["cron.hourly: 17 * * * *", "cron.daily: 25 6 * * *", "cron.weekly: 47 6 * * 7", "cron.monthly: 52 6 1 * *"],
  ],
  ["e2scrub_all", ["e2scrub_all_cron: 30 3 * * 0", "e2scrub_all: 10 3 * * *"]],
  ["logcheck", ["logcheck: boot", "logcheck-2: 2 * * * *"]],
  ["mdadm", ["Runs each Sunday at 00:57: 57 0 * * 0"]],
  ["php", ["Look for and purge old sessions every 30 minutes: 09,39 * * * *"]],
  ["popularity-contest", ["popularity-contest: 13 23 * * *"]],
  [
    "sysstat",
    [
      "Activity reports every 10 minutes everyday: 5-55/10 * * * *",
      "Additional run at 23:59 to rotate the statistics file: 59 23 * * *",
    ],
  ],
];
test.each(shipped)("the crontab of %s is imported whole", (file, tasks) => {
  const { body, report } = plan(fixture(`system/${file}`), { form: "system", runAsMe: true });
  expect(report.filter(({ outcome }) => outcome === "refused")).toEqual([]);
  const schedules = body.schedules ?? [];
  expect(
    (body.tasks ?? []).map(
      (task, index) =>
        `${task.name}: ${"expression" in schedules[index]! ? schedules[index].expression : schedules[index]!.kind}`,
    ),
  ).toEqual(tasks);
});

test("a job that cron does not run as its author most likely meant has a warning", () => {
  const { report } = plan("*/90 * * * * x\n0 */6,*/24 * * * y\n*/30 * 1 * * z\n0 3 * * * root /bin/w\n", {
    userWords: new Map([[4, "root"]]),
  });
  expect(report.map(({ outcome }) => outcome)).toEqual(["taken", "taken", "taken", "taken"]);
  expect(report.map(({ warning }) => warning)).toEqual([
    expect.stringMatching(/^the step of the minute in line 1 is 60 or more, so the job runs only at minute 0,/),
    expect.stringMatching(/^the step of the hour in line 2 is 24 or more/),
    null,
    expect.stringMatching(/^the command in line 4 starts with the user root,.* with --system$/),
  ]);
});

test("a step that is longer than its field is reported as written, and as it is read", () => {
  const { report, body } = plan("*/90 0-6/30 * * * x\n*/30 * * * * y\n007 * * * * z\n");
  expect(report.map(({ text }) => text)).toEqual([
    'task "x", */90 0-6/30 * * *, read as */60 0-6/24 * * *',
    'task "y", */30 * * * *',
    'task "z", 07 * * * *',
  ]);
  expect(body.schedules?.[0]).toMatchObject({ expression: "*/60 0-6/24 * * *" });
});

test("every line of the file is in the report, in order", () => {
  for (const file of ["user/everything", "user/refused", "system/crontab"]) {
    const text = fixture(file);
    const { report } = plan(text, { form: file.startsWith("system") ? "system" : "user" });
    expect(report.map(({ line }) => line)).toEqual(
      text
        .trimEnd()
        .split("\n")
        .map((_, index) => index + 1),
    );
  }
});

test("settings above the first job belong to the group, later ones to the jobs after them", () => {
  const { body } = plan(
    "A=1\nB=2\nCRON_TZ=Europe/Berlin\n0 1 * * * first\nB=3\nCRON_TZ=Asia/Tokyo\n0 2 * * * second\nA=9\n0 3 * * * third\n",
  );
  expect(body.groups).toEqual([
    { key: "file", name: "g", parent_id: null, environment: { A: "1", B: "2" }, time_zone: "Europe/Berlin" },
  ]);
  expect(body.tasks?.map(({ environment }) => environment)).toEqual([{}, { B: "3" }, { A: "9", B: "3" }]);
  expect(body.schedules?.map((schedule) => "time_zone" in schedule && schedule.time_zone)).toEqual([
    null,
    "Asia/Tokyo",
    "Asia/Tokyo",
  ]);
});

test("a command runs as cron runs it: /bin/sh, or the SHELL of the file with -c", () => {
  const { body } = plan("0 1 * * * one\nSHELL=/bin/bash\n0 2 * * * two && 2\nSHELL=/bin/sh\n0 3 * * * three\n");
  expect(body.tasks?.map(({ command }) => command)).toEqual([
    { kind: "shell", script: "one" },
    { kind: "exec", program: "/bin/bash", arguments: ["-c", "two && 2"] },
    { kind: "shell", script: "three" },
  ]);
});

test("the text after a percent sign is the task's standard input", () => {
  const { body } = plan("0 22 * * 1-5 mail joe%Joe,%%Where are you?%\n");
  expect(body.tasks?.[0]).toMatchObject({
    command: { script: "mail joe" },
    standard_input: "Joe,\n\nWhere are you?\n",
  });
});

test("HOME is the working directory of the commands", () => {
  const { body } = plan("HOME=/srv/app\n0 1 * * * one\n");
  expect(body.tasks?.[0]).toMatchObject({ working_directory: "/srv/app" });
  expect(body.groups?.[0]).toMatchObject({ environment: { HOME: "/srv/app" } });
});

test("cron's default environment belongs to the group, and settings override it", () => {
  const cronEnvironment = { PATH: "/usr/bin:/bin", SHELL: "/bin/sh", LANG: "C" };
  const text = "LANG=de_DE.UTF-8\n0 1 * * * one\nPATH=/opt/bin\nSHELL=/bin/bash\n0 2 * * * two\n";
  const planned = plan(text, { cronEnvironment });
  expect(planned.body.groups?.[0]?.environment).toEqual({ ...cronEnvironment, LANG: "de_DE.UTF-8" });
  expect(planned.body.tasks?.map(({ environment }) => environment)).toEqual([
    {},
    { PATH: "/opt/bin", SHELL: "/bin/bash" },
  ]);
  expect(planned.cronEnvironment).toEqual({ PATH: "/usr/bin:/bin", SHELL: "/bin/sh" });
});

test("mail settings and LOGNAME are ignored, and the report lists them", () => {
  const { body, report } = plan("MAILTO=me\nMAILFROM=you\nCONTENT_TYPE=text/plain\nLOGNAME=x\nUSER=y\n0 1 * * * one\n");
  expect(body.groups?.[0]?.environment).toEqual({ USER: "y" });
  expect(report.map(({ outcome }) => outcome)).toEqual([
    "left_out",
    "left_out",
    "left_out",
    "left_out",
    "taken",
    "taken",
  ]);
});

test("RANDOM_DELAY of cronie becomes a jitter", () => {
  expect(plan("RANDOM_DELAY=6\n0 1 * * * one\n").body.schedules?.[0]).toMatchObject({ jitter: "6m" });
  expect(plan("RANDOM_DELAY=soon\n0 1 * * * one\n").report[0]).toMatchObject({ outcome: "refused" });
});

test("by default a job behaves as under cron: no late runs, and overlapping runs are allowed", () => {
  const { body } = plan("0 1 * * * one\n");
  expect(body.schedules?.[0]).toMatchObject({ misfire: { policy: "skip" } });
  expect(body.tasks?.[0]).toMatchObject({ concurrency: { limit: 100 } });
  const changed = plan("0 1 * * * one\n", { catchUp: true, noOverlap: true });
  expect(changed.body.schedules?.[0]).toMatchObject({ misfire: { policy: "run_once" } });
  expect(changed.body.tasks?.[0]).toMatchObject({ concurrency: { limit: 1, on_conflict: "skip" } });
});

const ofAda = { daemonUser: { name: "ada", isRoot: false } } as const;

test("the user of a job becomes run_as, unless it is the daemon's own", () => {
  const text = "0 1 * * * www-data one\n0 2 * * * root two\n@reboot www-data three\n";
  const { report, body } = plan(text, { form: "system" });
  expect(report.map(({ text: details }) => details)).toEqual([
    'task "one", 0 1 * * *, as www-data',
    'task "two", 0 2 * * *',
    'task "three", at boot, as www-data',
  ]);
  expect(body.tasks?.map(({ run_as }) => run_as)).toEqual(["www-data", null, "www-data"]);
  expect(plan("0 1 * * * one\n", { owner: "www-data" }).body.tasks).toMatchObject([{ run_as: "www-data" }]);
});

test("a job of a user that the machine does not have is rejected", () => {
  const text = "0 1 * * * www-data one\n0 2 * * * root two\n";
  const { report } = plan(text, { form: "system", unknownUsers: new Set(["www-data"]) });
  expect(report).toMatchObject([
    {
      outcome: "refused",
      text: "the user www-data does not exist on this machine: create the user, or remove the line. cron ignores the whole file",
    },
    { outcome: "taken" },
  ]);
});

test("a daemon that does not run as root rejects jobs of other users without --run-as-me", () => {
  const text = "0 1 * * * www-data one\n0 2 * * * ada two\n";
  expect(plan(text, { form: "system", ...ofAda }).report.map(({ outcome }) => outcome)).toEqual(["refused", "taken"]);
  expect(plan("0 1 * * * one\n", { owner: "www-data", ...ofAda }).report).toMatchObject([{ outcome: "refused" }]);
});

test("--run-as-me runs every job as the daemon's user, and warns about each of another user", () => {
  const text = "0 1 * * * www-data one\n0 2 * * * root two\n";
  const { report, body } = plan(text, { form: "system", runAsMe: true });
  expect(report.map(({ outcome }) => outcome)).toEqual(["taken", "taken"]);
  expect(report.map(({ warning }) => warning)).toEqual(["the job in line 1 will run as root, not as www-data", null]);
  expect(body.tasks?.map(({ run_as }) => run_as)).toEqual([null, null]);
  expect(plan("0 1 * * * one\n", { owner: "www-data", runAsMe: true, ...ofAda }).report).toMatchObject([
    { outcome: "taken", warning: "the job in line 1 will run as ada, not as www-data" },
  ]);
});

test("lines that cannot be imported are rejected with a reason, and the rest is planned", () => {
  const { report, body } = plan(fixture("user/refused"));
  const taken = report.filter(({ outcome }) => outcome === "taken").map(({ line }) => line);
  expect(taken).toEqual([1, 10]);
  expect(report.filter(({ outcome }) => outcome === "refused")).toHaveLength(8);
  expect(body.tasks?.map(({ name }) => name)).toEqual(["fine", "never"]);
});

const fields: readonly (readonly [field: string | null, line: number | null])[] = [
  ["tasks.1.name", 6],
  ["schedules.0.expression", 4],
  ["groups.0.environment.A", 2],
  ["groups.0.time_zone", 3],
  ["groups.0.name", null],
  ["dry_run", null],
  [null, null],
];
test.each(fields)("the field %j comes from line %j", (field, line) => {
  const lines = parseCrontab("A=0\nA=1\nCRON_TZ=Asia/Tokyo\n0 1 * * * one\nA=2\n0 2 * * * two\n", "user");
  expect(lineOfField(field, planImport(lines, options), lines)).toBe(line);
});
