import type { Run, RunList, TriggerSecret } from "@belfry/client";
import { tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startBelfry } from "../belfry.ts";

test("following a run prints its stdout and stderr, and the exit code reports its outcome", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Both", "--shell", "echo out; echo err >&2; exit 3");
  const { code, stdout, stderr } = await belfry.call(["task", "run", "Both", "--follow"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "out\n" });
  expect(stderr).toMatch(/^err\nTask "Both" failed: exit 3 after \S+ \(run_\w{20}\)\n$/);
  expect(await belfry.call(["run", "logs", "Both", "--stream", "stdout"])).toEqual({
    code: 0,
    stdout: "out\n",
    stderr: "",
  });
  expect(await belfry.call(["run", "logs", "Both"])).toEqual({ code: 0, stdout: "out\n", stderr: "err\n" });
});

test("waiting for a run exits with 0 only if it succeeds", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Good", "--", "true");
  await belfry.text("task", "add", "Bad", "--", "false");
  expect(await belfry.call(["task", "run", "Good", "--wait"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining('Task "Good" succeeded'),
  });
  expect((await belfry.call(["task", "run", "Bad", "--wait"])).code).toBe(1);
  const json = await belfry.call(["task", "run", "Bad", "--wait", "--json"]);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { state: "failed", exit_code: 1 }]);
});

test("the logs of a running task are followed until it finishes", async () => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  const gate = join(dir.path, "gate");
  await belfry.text("task", "add", "Slow", "--shell", `echo one; until [ -e ${gate} ]; do sleep 0.02; done; echo two`);
  expect(await belfry.text("task", "run", "Slow")).toMatch(/^Queued a run of task "Slow"/);
  const following = belfry.call(["run", "logs", "-f", "Slow"]);
  await until("the first line", async () => (await belfry.call(["run", "logs", "Slow"])).stdout === "one\n");
  await writeFile(gate, "");
  expect(await following).toEqual({ code: 0, stdout: "one\ntwo\n", stderr: "" });
});

test("a run is followed through its retries", async () => {
  await using belfry = await startBelfry();
  await belfry.text(
    "task",
    "add",
    "Again",
    "--retries",
    "1",
    "--retry-delay",
    "50ms",
    "--shell",
    'echo "attempt $BELFRY_ATTEMPT"; [ $BELFRY_ATTEMPT = 2 ]',
  );
  const { code, stdout, stderr } = await belfry.call(["task", "run", "Again", "--follow"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "attempt 1\nattempt 2\n" });
  expect(stderr).toMatch(/Task "Again" succeeded/);
  expect(await belfry.call(["run", "logs", "Again", "--attempt", "1"])).toEqual({
    code: 0,
    stdout: "attempt 1\n",
    stderr: "",
  });
  expect((await belfry.call(["run", "logs", "Again"])).stderr).toMatch(
    /^This is attempt 2\. For attempt 1, use: belfry run logs run_\w{20} --attempt <n>\n$/,
  );
});

test("a run that waits for a retry shows the number of the retry, and its output so far", async () => {
  await using belfry = await startBelfry();
  const script = 'echo "attempt $BELFRY_ATTEMPT"; exit 1';
  await belfry.text("task", "add", "Again", "--retries", "2", "--retry-delay", "1h", "--shell", script);
  await belfry.text("task", "run", "Again");
  await until("the pause", async () => (await belfry.text("run", "list")).includes("queued: retry 1 of 2"));
  expect(await belfry.text("run", "show", "Again")).toMatch(/^Attempt +2 of 3$/m);
  expect((await belfry.call(["run", "logs", "Again"])).stdout).toBe("attempt 1\n");
  const following = belfry.call(["run", "logs", "Again", "-f"]);
  await until("the first cancel", async () => (await belfry.call(["run", "cancel", "Again"])).code === 0);
  expect(await following).toMatchObject({ code: 0, stdout: "attempt 1\n" });
});

test("a run is cancelled and rerun", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Slow", "--", "sleep", "600");
  await belfry.text("task", "run", "Slow");
  expect(await belfry.text("run", "cancel", "Slow", "--wait")).toMatch(/^Run of task "Slow": cancelled/);
  expect((await belfry.call(["run", "cancel", "Slow"])).code).toBe(3);
  expect(await belfry.call(["run", "show", "run_short"])).toMatchObject({
    code: 3,
    stderr: 'belfry: there is no run "run_short"\nList the runs with: belfry run list\n',
  });
  const { runs } = await belfry.json<RunList>("run", "list", "--state", "cancelled");
  expect((await belfry.call(["run", "cancel", runs[0]!.id])).code).toBe(1);
  expect(await belfry.text("run", "rerun", "Slow")).toMatch(/^Queued a new run of task "Slow"/);
  await belfry.text("run", "cancel", "Slow", "--wait");
});

test("a task's running run is cancelled before its queued ones, and of several running ones the id is needed", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Slow", "--", "sleep", "600");
  for (let time = 0; time < 3; time++) await belfry.text("task", "run", "Slow");
  const idsOf = async (state: string) =>
    (await belfry.json<RunList>("run", "list", "--state", state)).runs.map(({ id }) => id);
  await until("the run", async () => (await idsOf("running")).length === 1);
  const [running] = await idsOf("running");
  const { id: task } = await belfry.json<{ id: string }>("task", "show", "Slow");
  expect(await belfry.call(["run", "cancel", "Slow"])).toEqual({
    code: 0,
    stdout: `Run of task "Slow": cancelling (${running})\n`,
    stderr: `The program was told to end. If it is still running after 10s, it is killed\n2 other runs of the task are left. List the rest with: belfry run list --task ${task} --active\n`,
  });
  await until("the next run", async () => (await idsOf("running")).some((id) => id !== running));
  await belfry.text("task", "edit", "Slow", "--limit", "2");
  await until("both runs", async () => (await idsOf("running")).length === 2);
  const both = await idsOf("running");
  const asked = await belfry.call(["run", "cancel", "Slow"]);
  expect(asked).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('2 runs of task "Slow" are active, so name the run to cancel by its id\n'),
  });
  for (const id of both) expect(asked.stderr).toMatch(new RegExp(`^  ${id}  running for [\\dms ]+$`, "m"));
  for (const id of both) expect((await belfry.call(["run", "cancel", id, "--wait"])).stderr).toBe("");
  expect(await belfry.call(["run", "cancel", "Slow"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('task "Slow" has no unfinished run\n'),
  });
});

test("a skipped run is reported as skipped, not as started", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Long", "--on-conflict", "skip", "--", "sleep", "600");
  const { id } = await belfry.json<Run>("task", "run", "Long");
  const skipped = String.raw`Run of task "Long" was skipped: the limit of concurrent runs was reached \(run_\w{20}\)\n`;
  const holder = `The limit is used by ${id} of task "Long"\n`;
  for (const words of [
    ["task", "run", "Long"],
    ["run", "rerun", "Long"],
  ])
    expect(await belfry.call(words)).toEqual({
      code: 1,
      stdout: expect.stringMatching(new RegExp(`^${skipped}$`)),
      stderr: holder,
    });
  for (const option of ["--follow", "--wait"])
    expect(await belfry.call(["task", "run", "Long", option])).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^${skipped}${holder}$`)),
    });
});

test("a run that was skipped at a shared limit names the run and the task that use it", async () => {
  await using belfry = await startBelfry();
  for (const task of ["Long", "Other"]) {
    await belfry.text("task", "add", task, "--concurrency-key", "disk", "--on-conflict", "skip", "--", "sleep", "600");
  }
  const { id } = await belfry.json<Run>("task", "run", "Long");
  expect(await belfry.call(["task", "run", "Other", "--follow"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`\nThe limit is used by ${id} of task "Long"\n`),
  });
});

test("the history is listed newest first, filtered, page by page or complete", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Good", "--", "true");
  await belfry.text("task", "add", "Bad", "--", "false");
  for (const task of ["Good", "Bad", "Good"]) await belfry.call(["task", "run", task, "--wait"]);
  expect((await belfry.json<RunList>("run", "list", "--outcome", "failure")).runs).toMatchObject([
    { task_name: "Bad" },
  ]);
  const first = await belfry.json<RunList>("run", "list", "-n", "2");
  expect(first.runs).toMatchObject([{ task_name: "Good" }, { task_name: "Bad" }]);
  const second = await belfry.json<RunList>("run", "list", "-n", "2", "--cursor", first.next_cursor!);
  expect([second.runs, second.next_cursor]).toMatchObject([[{ task_name: "Good" }], null]);
  expect((await belfry.json<RunList>("run", "list", "--all")).runs).toHaveLength(3);
  expect((await belfry.call(["run", "list", "-n", "2"])).stderr).toContain(
    "Showing the newest 2. Use --limit <n> or --all for more",
  );
  expect((await belfry.json<RunList>("run", "list", "--task", "Bad")).runs).toHaveLength(1);
  expect(await belfry.text("run", "show", "Bad")).toMatch(/State {2,}failed: exit 1\n/);
  expect((await belfry.call(["run", "list", "--until", "yesterday"])).stderr).toBe("No runs match\n");
});

test("a run that cannot start says why in a sentence, and exits as a shell does", async () => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  const script = join(dir.path, "script");
  await writeFile(script, "#!/no/such/interpreter\n", { mode: 0o755 });
  await writeFile(join(dir.path, "plain"), "", { mode: 0o644 });
  const cases = [
    ["Missing", "/no/such/program", 127, "/no/such/program was not found (ENOENT)"],
    ["Script", script, 127, `the interpreter /no/such/interpreter of ${script} was not found (ENOENT)`],
    [
      "Plain",
      join(dir.path, "plain"),
      126,
      `${dir.path}/plain cannot be executed or entered: permission denied (EACCES)`,
    ],
  ] as const;
  for (const [name, program, code, sentence] of cases) {
    await belfry.text("task", "add", name, "--", program);
    for (const option of ["--follow", "--wait"]) {
      const ended = await belfry.call(["task", "run", name, option]);
      expect(ended).toMatchObject({ code, stdout: "" });
      expect(ended.stderr.replace(/run_\w{20}/, "run")).toBe(
        `Task "${name}" could not be started: ${sentence} (run)\n`,
      );
    }
    for (const options of [[], ["--follow"], ["--attempt", "1"], ["--stdout"]])
      expect(await belfry.call(["run", "logs", name, ...options])).toMatchObject({
        code: 0,
        stdout: "",
        stderr: `The run of task "${name}" could not be started: ${sentence}\n`,
      });
  }
  // a program of its own may end with these codes, which says nothing about the start
  await belfry.text("task", "add", "Own", "--shell", "exit 127");
  expect((await belfry.call(["task", "run", "Own", "--wait"])).code).toBe(1);
});

test("a queued run says which run it waits for, wherever it is shown", async () => {
  await using belfry = await startBelfry();
  await using dir = await tempDir();
  const gate = join(dir.path, "gate");
  await belfry.text("task", "add", "Slow", "--shell", `until [ -e ${gate} ]; do sleep 0.02; done`);
  await belfry.text("task", "run", "Slow");
  const first = (await belfry.json<RunList>("run", "list")).runs[0]!.id;
  const sentence = `is queued: the task's limit of 1 concurrent run is reached (${first} is active)`;
  const second = await belfry.call(["task", "run", "Slow"]);
  expect(second).toMatchObject({ code: 0, stderr: `The run ${sentence}\n` });
  expect(second.stdout).toMatch(/^Queued a run of task "Slow"/);
  expect(await belfry.text("run", "show", "Slow")).toContain(`Waits          The run ${sentence}\n`);
  expect(await belfry.json("run", "show", "Slow")).toMatchObject({
    waiting: { reason: "task_limit", run_ids: [first], until: null },
  });
  expect(await belfry.text("why", "Slow")).toMatch(/^ {2}manual run: The run was requested at /m);
  expect(await belfry.text("why", "Slow")).toContain(`, and it ${sentence} (run_`);

  expect(await belfry.call(["run", "logs", "Slow"])).toMatchObject({ stdout: "", stderr: `The run ${sentence}\n` });

  const following = belfry.call(["task", "run", "Slow", "--follow"]);
  const waiting = belfry.call(["task", "run", "Slow", "--wait"]);
  const queued = async () => (await belfry.json<RunList>("run", "list", "--state", "queued")).runs.length;
  await until("the runs to be queued", async () => (await queued()) === 3);
  await writeFile(gate, "");
  for (const ended of [following, waiting])
    expect(await ended).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^The run is queued: the task's limit .*\n(?:.*\n)*Task "Slow" succeeded after/),
    });
  expect(await belfry.json("run", "show", first)).not.toHaveProperty("waiting");
});

test("a pause before a retry says when it ends", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Again", "--retries", "1", "--retry-delay", "1h", "--", "false");
  await belfry.text("task", "run", "Again");
  await until("the pause", async () => (await belfry.text("run", "list")).includes("queued: retry 1 of 1"));
  const sentence = /exited with code 1; it is waiting for attempt 2 of 2 until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;
  expect(await belfry.text("run", "show", "Again")).toMatch(new RegExp(`^Waits +The run ${sentence.source}`, "m"));
  expect(await belfry.text("why", "Again")).toMatch(new RegExp(`and it ${sentence.source}`));
});

test("a run names what requested it", async () => {
  await using belfry = await startBelfry();
  await belfry.text("task", "add", "Load", "--", "true");
  await belfry.text("task", "add", "Report", "--", "true");
  await belfry.text("chain", "add", "Load", "Report");
  await belfry.soon((at) => ["schedule", "add", "Load", "--at", at]);
  const { key } = await belfry.json<TriggerSecret>("trigger", "add", "Deploy hook", "--task", "Report");
  await until("the run after it", async () => (await belfry.text("run", "list")).includes("completion"));
  expect(await belfry.text("run", "show", "Load")).toMatch(/^Trigger +schedule: at .* \(sch_\w{20}\)$/m);
  expect(await belfry.text("run", "show", "Report")).toMatch(/^Trigger +completion: chain chn_\w{20}$/m);
  expect(await belfry.text("run", "show", "Report")).toMatch(/^After +Load: succeeded/m);
  expect((await belfry.call(["trigger", "fire", "--wait"], { stdin: key })).code).toBe(0);
  expect(await belfry.text("run", "show", "Report")).toMatch(
    /^Trigger +external_trigger: "Deploy hook" \(trg_\w{20}\)$/m,
  );
  expect(await belfry.text("why", "Report")).toMatch(
    /trigger Deploy hook: The trigger was fired at .*exited with code 0/,
  );
  await belfry.text("trigger", "delete", "Deploy hook");
  expect(await belfry.text("run", "show", "Report")).toMatch(
    /^Trigger +external_trigger: trg_\w{20}, which was deleted$/m,
  );
  await belfry.text("task", "run", "Report", "--wait");
  expect(await belfry.text("run", "show", "Report")).toMatch(/^Trigger +manual$/m);
});

test("why says what happens to a new run while the task is at its limit, and how to read a failure", async () => {
  await using belfry = await startBelfry();
  for (const conflict of ["queue", "skip", "replace"]) {
    await belfry.text("task", "add", conflict, "--on-conflict", conflict, "--", "sleep", "600");
    await belfry.text("task", "run", conflict);
  }
  await belfry.text("task", "add", "Two", "--limit", "2", "--", "sleep", "600");
  await belfry.text("task", "run", "Two");
  const first = async (name: string) => (await belfry.text("why", name)).split(". At ")[0];
  const reached = (name: string, then: string) =>
    new RegExp(
      `^${name} is ready, but a new run would ${then}: the task's limit of 1 concurrent run is reached \\(run_\\w+ is active\\)$`,
    );
  expect(await first("queue")).toMatch(reached("queue", "wait"));
  expect(await first("skip")).toMatch(reached("skip", "be skipped"));
  expect(await first("replace")).toMatch(reached("replace", "replace the oldest"));
  expect(await first("Two")).toBe("Two can start now");

  await belfry.text("group", "add", "Backups", "--limit", "1");
  for (const name of ["One", "Other"])
    await belfry.text("task", "add", name, "--group", "Backups", "--", "sleep", "600");
  await belfry.text("task", "run", "One");
  expect(await first("Other")).toMatch(
    /^Other is ready, but a new run would wait: the limit of 1 concurrent run for the group "Backups" is reached \(run_\w+ of "One" is active\)$/,
  );

  await belfry.text("task", "add", "Bad", "--", "false");
  const { id } = JSON.parse((await belfry.call(["task", "run", "Bad", "--wait", "--json"])).stdout) as { id: string };
  expect((await belfry.call(["why", "Bad"])).stderr).toBe(
    `Read the output of the failed run with: belfry run logs ${id}\n`,
  );
  expect((await belfry.call(["why", "queue"])).stderr).toBe("");
  // a run that never started has no output
  await belfry.text("task", "add", "Gone", "--", "/nowhere/program");
  await belfry.call(["task", "run", "Gone", "--wait"]);
  expect((await belfry.call(["why", "Gone"])).stderr).toBe("");
});

test("task show names the channels that are notified, and the triggers of the task", async () => {
  await using belfry = await startBelfry();
  await belfry.text("group", "add", "Backups");
  await belfry.text("task", "add", "Dump", "--group", "Backups", "--", "true");
  expect(await belfry.text("task", "show", "Dump")).not.toMatch(/Notifies|TRIGGER/);
  const added = await belfry.call(["channel", "add", "Ops", "--endpoint-file", "-"], {
    stdin: "http://127.0.0.1:9/hook\n",
  });
  expect(added.code).toBe(0);
  await belfry.text("notify", "set", "--group", "Backups", "--on-failure", "Ops");
  await belfry.text("trigger", "add", "From CI", "--task", "Dump");
  const shown = await belfry.text("task", "show", "Dump");
  expect(shown).toMatch(/^Notifies +Ops on failure, as set on group "Backups"$/m);
  expect(shown).toMatch(/^TRIGGER +STATE +FIRED[^\n]*\nFrom CI +ready +0 /m);
  await belfry.text("notify", "set", "Dump", "--on-any", "Ops");
  await belfry.text("channel", "disable", "Ops");
  expect(await belfry.text("task", "show", "Dump")).toMatch(/^Notifies +Ops on success, failure \(disabled\)$/m);
});
