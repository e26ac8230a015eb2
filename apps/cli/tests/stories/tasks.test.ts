import type { ScheduleList, TaskList } from "@belfry/client";
import { tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

test("a task and its schedule are added in one call, with all their options", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Backups");
  const options = [
    "--cron|0 3 * * *|--tz|Europe/Berlin|--jitter|5m|--spread|--missed|skip|--group|backups|--cwd|/tmp|--description|all of it",
    "--timeout|90m|--retries|2|--retry-delay|30s|--leftovers|kill|--on-lost|retry|--expect-success|26h|--limit|2|--concurrency-key|disk|--on-conflict|skip|--priority|-5|--success-exit|0,3",
    "--label|team=web|--label|big|--keep-runs|9|--keep-bytes|2MiB|--max-output|1MiB",
  ];
  const output = await belfry.text(
    "task",
    "add",
    "Nightly backup",
    ...options.join("|").split("|"),
    "--",
    "backup",
    "--all",
    "-x",
  );
  expect(output).toMatch(/^Added task "Nightly backup" \(tsk_\w{20}\): next run \d{4}-/);
  expect(await belfry.json("task", "show", "backups/nightly BACKUP")).toMatchObject({
    name: "Nightly backup",
    group_name: "Backups",
    description: "all of it",
    command: { kind: "exec", program: "backup", arguments: ["--all", "-x"] },
    timeout: "90m",
    retry: { max_attempts: 3, delay: "30s", backoff: 2 },
    leftovers: "kill",
    on_lost: "retry",
    expect_success_within: "26h",
    overdue: false,
    last_success_at: null,
    concurrency: { limit: 2, key: "disk", on_conflict: "skip" },
    priority: -5,
    labels: { team: "web", big: "" },
    working_directory: "/tmp",
    success_exit_codes: [0, 3],
    retention: { runs: 9, age: "90d", bytes: 2_097_152 },
    output: { max_bytes: 1_048_576 },
  });
  const { schedules } = await belfry.json<ScheduleList>("schedule", "list", "--task", "Nightly backup");
  expect(schedules).toMatchObject([
    { expression: "0 3 * * *", time_zone: "Europe/Berlin", jitter: "5m", spread: true, misfire: { policy: "skip" } },
  ]);
});

test.runIf(userInfo().username === "root")("a task gets another user, and the daemon's user again", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Rotate", "--run-as", "nobody", "--", "true");
  expect(await belfry.json("task", "show", "Rotate")).toMatchObject({ run_as: "nobody" });
  expect(await belfry.text("task", "show", "Rotate")).toMatch(/^Runs as\s+nobody$/m);
  await belfry.text("task", "edit", "Rotate", "--no-run-as");
  expect(await belfry.json("task", "show", "Rotate")).toMatchObject({ run_as: null });
  const { code, stderr } = await belfry.call(["task", "edit", "Rotate", "--run-as", "1000"]);
  const warning = 'Warning: there is no user "nobdy" on this machine. Until there is one, each run of the task fails\n';
  const added = await belfry.call(["task", "add", "Other", "--run-as", "nobdy", "--", "true"]);
  const edited = await belfry.call(["task", "edit", "Rotate", "--run-as", "nobdy"]);
  expect([added.code, added.stderr, edited.code, edited.stderr]).toEqual([0, warning, 0, warning]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^belfry: --run-as must be the name of a user, not an id/)]);
});

test("an invalid schedule adds no task", async () => {
  await using belfry = await startBelfry();
  const { code, stderr } = await belfry.call(["task", "add", "Broken", "--cron", "61 3 * * *", "--", "true"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^belfry: --cron "61 3 \* \* \*" has an invalid minute: 61/);
  expect(await belfry.json("task", "list")).toEqual({ tasks: [], next_cursor: null });
});

test("an edit changes only the given options", async () => {
  await using belfry = await startBelfry();
  await belfry.text(
    "task",
    "add",
    "Deploy",
    "--retries",
    "1",
    "--retry-delay",
    "5s",
    "--label",
    "a=1",
    "--timeout",
    "5m",
    "--",
    "true",
  );
  expect(
    await belfry.text(
      "task",
      "edit",
      "deploy",
      "--retries",
      "4",
      "--label",
      "b=2",
      "--unlabel",
      "a",
      "--no-timeout",
      "--",
      "false",
      "-v",
    ),
  ).toBe('Changed task "Deploy"\n');
  expect(await belfry.json("task", "show", "Deploy")).toMatchObject({
    retry: { max_attempts: 5, delay: "5s" },
    labels: { b: "2" },
    timeout: null,
    command: { program: "false", arguments: ["-v"] },
  });
  expect((await belfry.call(["task", "edit", "Deploy"])).code).toBe(2);
});

test("secrets are read from the environment, a file and standard input, and shown only on request", async () => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  const file = join(dir.path, "web.env");
  await writeFile(file, "# of the web\nURL=https://example.com/a?b=c\nQUOTED='two words'\nTOKEN=of-the-file\n");
  const added = await belfry.call(
    ["task", "add", "Deploy", "--env", "TOKEN", "--env-from", file, "--stdin", "-", "--", "true"],
    {
      environment: { TOKEN: "s3cret" },
      stdin: "line one\nline two",
    },
  );
  expect(added.code).toBe(0);
  expect(await belfry.json("task", "show", "Deploy")).toMatchObject({
    environment_names: ["QUOTED", "TOKEN", "URL"],
    has_standard_input: true,
  });
  expect(await belfry.text("task", "show", "Deploy")).not.toContain("s3cret");
  expect(await belfry.text("task", "env", "Deploy")).toBe(
    "URL='https://example.com/a?b=c'\nQUOTED='two words'\nTOKEN=s3cret\n",
  );
  expect(await belfry.json("task", "env", "Deploy", "--name", "TOKEN")).toEqual({ TOKEN: "s3cret" });
  expect((await belfry.call(["task", "env", "Deploy", "--name", "OTHER"])).code).toBe(3);
  expect(await belfry.text("task", "stdin", "Deploy")).toBe("line one\nline two");
  await belfry.text("task", "edit", "Deploy", "--unset-env", "TOKEN", "--no-stdin");
  expect(await belfry.json("task", "show", "Deploy")).toMatchObject({
    environment_names: ["QUOTED", "URL"],
    has_standard_input: false,
  });
});

test("durations, sizes and times are written as people write them", async () => {
  await using belfry = await startBelfry();
  const options = "--timeout|1h30m|--kill-grace|5 sec|--max-output|10MB|--keep-for|2 weeks|--at|tomorrow 8am";
  await belfry.text("task", "add", "Deploy", ...options.split("|"), "--", "true");
  expect(await belfry.json("task", "show", "Deploy")).toMatchObject({
    timeout: "90m",
    kill_grace: "5s",
    output: { max_bytes: 10_000_000 },
    retention: { age: "14d" },
  });
  const [schedule] = (await belfry.json<ScheduleList>("schedule", "list")).schedules;
  expect(new Date(schedule!.at!).getHours()).toBe(8);
});

test("a line of an environment file that is no assignment is refused by its number, and not repeated", async () => {
  await using belfry = await startBelfry();
  const add = (stdin: string) => belfry.call(["task", "add", "Deploy", "--env-from", "-", "--", "true"], { stdin });
  for (const [stdin, line] of [
    ["A=1\nhunter2\n", 2],
    ["# comment\n\nA B=1\n", 3],
    ["1A=hunter2\n", 1],
    ["KEY='one\ntwo'\nhunter2\n", 3],
  ] as const) {
    const { code, stderr } = await add(stdin);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`line ${line} of standard input is not an assignment. Use NAME=value`),
    ]);
    expect(stderr).not.toContain("hunter2");
  }
  expect(await add("# comment\nexport A=1\n B = 2\nKEY='one\ntwo=3 four'\nQ=it's\nE=\n")).toMatchObject({ code: 0 });
  expect(await belfry.json("task", "env", "Deploy")).toEqual({
    A: "1",
    B: "2",
    E: "",
    KEY: "one\ntwo=3 four",
    Q: "it's",
  });
});

test("nothing of an environment file is cut off silently", async () => {
  await using belfry = await startBelfry();
  const add = (stdin: string) => belfry.call(["task", "add", "Deploy", "--env-from", "-", "--", "true"], { stdin });
  expect(await add('A="abc" def\n')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("the value of A has more text after its second quote, in line 1 of standard input"),
  });
  expect(await add('A=1\nB="abc\n')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("the value of B in line 2 of standard input begins with a quote that has no end"),
  });
  const values = { A: "pa#ss", B: "`b` 'c' \"d\"", C: "1" };
  expect(await add("\uFEFFA=pa#ss\nB=`b` 'c' \"d\"\nC=1 # one\n")).toMatchObject({ code: 0 });
  expect(await belfry.json("task", "env", "Deploy")).toEqual(values);
  const copy = await belfry.text("task", "env", "Deploy");
  await belfry.text("task", "add", "Copy", "--", "true");
  expect(await belfry.call(["task", "edit", "Copy", "--env-from", "-"], { stdin: copy })).toMatchObject({ code: 0 });
  expect(await belfry.json("task", "env", "Copy")).toEqual(values);
});

test("an edit of the delay before retries needs retries", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Once", "--", "true");
  const edit = (...words: readonly string[]) => belfry.call(["task", "edit", "Once", ...words]);
  expect(await edit("--retry-delay", "5s")).toMatchObject({
    code: 2,
    stderr: 'belfry: --retry-delay requires --retries or --on-lost retry, because task "Once" is not retried\n',
  });
  expect(await edit("--retry-delay", "5s", "--retries", "1")).toMatchObject({ code: 0 });
  expect(await edit("--retry-delay", "6s")).toMatchObject({ code: 0 });
  expect(await edit("--retry-delay", "7s", "--retries", "0", "--on-lost", "retry")).toMatchObject({ code: 0 });
});

test("a draft says how it gets its command", async () => {
  await using belfry = await startBelfry();
  expect(await belfry.text("task", "add", "Idea", "--draft")).toMatch(
    /^Added task "Idea" \(\w+\), draft\. Set its command with `belfry task edit "Idea" -- <program> \[arguments\.\.\.\]`: until then, it cannot run\n$/,
  );
  expect(await belfry.text("task", "add", "Later", "--draft", "--every", "1h")).toMatch(
    /, draft\. .+\. Set its command with/,
  );
});

test("a task is disabled, enabled, archived, restored and deleted, and each command says so", async () => {
  await using belfry = await startBelfry();
  expect(await belfry.text("task", "add", "Deploy", "--", "true")).toMatch(
    /Run it with `belfry task run "Deploy"`, or add a schedule with `belfry schedule add "Deploy" --cron "0 3 \* \* \*"`$/m,
  );
  expect(await belfry.text("task", "disable", "Deploy")).toBe('Disabled task "Deploy"\n');
  expect(await belfry.text("task", "disable", "Deploy")).toBe('Task "Deploy" is already disabled\n');
  const refused = await belfry.call(["task", "run", "Deploy"]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: 'belfry: task "Deploy" is disabled\nEnable it with: belfry task enable Deploy\n',
  });
  expect(JSON.parse((await belfry.call(["task", "run", "Deploy", "--json"])).stderr)).toMatchObject({
    error: { code: "conflict", message: "the task is disabled: enable the task first (task_disabled)" },
  });
  await belfry.text("task", "enable", "Deploy");
  await belfry.text("task", "archive", "Deploy");
  expect(await belfry.text("task", "list")).toMatch(/Deploy .* archived/);
  await belfry.text("task", "restore", "Deploy");
  expect(await belfry.json("task", "delete", "Deploy")).toMatchObject({ name: "Deploy" });
  expect(await belfry.call(["task", "list"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("No tasks yet"),
  });
});

test("an unknown name is reported with similar names, and an ambiguous name with its ids", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "web");
  await belfry.text("group", "add", "db");
  await belfry.text("task", "add", "Nightly backup", "--group", "web", "--", "true");
  await belfry.text("task", "add", "Nightly backup", "--group", "db", "--", "true");
  const unknown = await belfry.call(["task", "show", "Nigthly backup"]);
  expect(unknown.code).toBe(3);
  expect(unknown.stderr).toMatch(/^belfry: there is no task "Nigthly backup"\nDid you mean "Nightly backup"/);
  const twice = await belfry.call(["task", "show", "nightly backup"]);
  expect(twice.code).toBe(2);
  expect(twice.stderr).toMatch(
    /"nightly backup" is ambiguous: 2 tasks have this name\nUse one of these ids:[^]*tsk_\w{20} {2}db\/Nightly backup/,
  );
  expect(await belfry.json("task", "show", "db/nightly backup")).toMatchObject({ group_name: "db" });
  expect((await belfry.call(["task", "show", "tsk_00000000000000000000"])).code).toBe(3);
  expect((await belfry.call(["task", "add", "x", "--group", "wbe", "--", "true"])).stderr).toContain(
    'Did you mean "web"?',
  );
});

test("a list is filtered, truncated on a terminal, and complete as JSON", async () => {
  await using belfry = await startBelfry();
  await belfry.text(
    "task",
    "add",
    "A task with a name that needs a good deal of room",
    "--label",
    "team=web",
    "--every",
    "1h",
    "--",
    "true",
  );
  await belfry.text("task", "add", "Other", "--label", "team=db", "--disabled", "--", "true");
  expect((await belfry.json<TaskList>("task", "list", "--label", "team=web")).tasks).toHaveLength(1);
  expect((await belfry.json<TaskList>("task", "list", "--label", "team")).tasks).toHaveLength(2);
  expect((await belfry.json<TaskList>("task", "list", "--name", "OTH")).tasks).toHaveLength(1);
  const { stdout } = await belfry.call(["task", "list"], { columns: 72, environment: { NO_COLOR: "1" } });
  for (const line of stdout.trimEnd().split("\n")) expect(line.length).toBeLessThanOrEqual(72);
  expect(stdout).toContain("…");
  expect((await belfry.call(["task", "list"], { columns: 100 })).stdout).toContain("\u001B[32mready");
});
