import { ManualClock, until } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { killRunners } from "../support/processes/runners.ts";
import {
  cancel,
  type Daemon,
  listRuns,
  made2xx,
  makeTask,
  outputOf,
  runOnce,
  startRun,
  untilEnd,
  untilState,
} from "../support/tasks.ts";

/** Each test is one row of the outcome map: what ended the run, and its outcome. */
describe("the outcome of a run", () => {
  test("an exit code of the task's list is success", async () => {
    await using daemon = await startDaemon();
    const run = await runOnce(daemon, "exit 3", { success_exit_codes: [3, 4] });
    expect(run).toMatchObject({
      state: "succeeded",
      outcome: "success",
      reason: "exit_code",
      exit_code: 3,
      signal: null,
      reason_text: "exited with code 3",
    });
  });

  test("any other exit code is failure, even 0 if the list leaves it out", async () => {
    await using daemon = await startDaemon();
    const expected = { state: "failed", outcome: "failure", reason: "exit_code", signal: null };
    expect(await runOnce(daemon, "exit 7")).toMatchObject({
      ...expected,
      exit_code: 7,
      reason_text: "exited with code 7",
    });
    expect(await runOnce(daemon, "exit 0", { success_exit_codes: [3] })).toMatchObject({ ...expected, exit_code: 0 });
  });

  test("a signal is failure", async () => {
    await using daemon = await startDaemon();
    const run = await runOnce(daemon, "kill -SEGV $$");
    expect(run).toMatchObject({
      state: "failed",
      outcome: "failure",
      reason: "signal",
      exit_code: null,
      signal: "SIGSEGV",
      reason_text: "was killed by SIGSEGV",
    });
  });

  test("a time-out is failure, even of a task that then exits with 0", async () => {
    await using daemon = await startDaemon();
    const polite = `trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done`;
    let seconds = 3;
    let run = await runOnce(daemon, polite, { timeout: `${seconds}s` });
    // on a busy machine the time may be over before the task can handle the signal
    for (; (await outputOf(daemon, run)) !== "ready\n" && seconds < 96; seconds *= 2)
      run = await runOnce(daemon, polite, { timeout: `${seconds * 2}s` });
    expect(run).toMatchObject({ state: "failed", outcome: "failure", reason: "timeout", exit_code: 0, signal: null });
    // more may follow on a machine without cgroups
    expect(run.reason_text).toMatch(new RegExp(`^ran longer than its timeout of ${seconds}s and was stopped(?:;|$)`));
    expect(run.duration_ms).toBeGreaterThanOrEqual(seconds * 1_000);
  });

  test("a start that fails is failure", async () => {
    await using daemon = await startDaemon();
    const run = await runOnce(daemon, "", { command: { kind: "exec", program: "/no/such/program" } });
    expect(run).toMatchObject({
      state: "failed",
      outcome: "failure",
      reason: "spawn_error",
      exit_code: null,
      signal: null,
    });
  });

  test("a lost runner is failure", async () => {
    await using daemon = await startDaemon();
    const run = await startRun(daemon, await makeTask(daemon, "sleep 3600", { kill_grace: "0s" }));
    await untilState(daemon, run, "running");
    await killRunners(daemon.dataDir);
    const ended = await untilEnd(daemon, run);
    expect(ended).toMatchObject({ state: "failed", outcome: "failure", reason: "lost", exit_code: null, signal: null });
    expect(ended.reason_text).toBe("was lost because its runner process died");
  });

  test("a cancelled run has no outcome, even if the task then exits with 0", async () => {
    await using daemon = await startDaemon();
    const script = `trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done`;
    const run = await startRun(daemon, await makeTask(daemon, script));
    await until("ready", async () => (await outputOf(daemon, run)) === "ready\n");
    await cancel(daemon, run);
    expect(await untilEnd(daemon, run)).toMatchObject({
      state: "cancelled",
      outcome: null,
      reason: "cancelled",
      exit_code: 0,
      reason_text: expect.stringMatching(/^was cancelled(?:;|$)/) as unknown,
    });
  });

  test("a skipped run has no outcome, and never started", async () => {
    const clock = new ManualClock("2026-03-01T00:00:30Z");
    await using daemon = await startDaemon({ clock });
    const task = await makeTask(daemon, ":");
    await made2xx(daemon.call("POST", "/v1/schedules", { task_id: task.id, kind: "cron", expression: "* * * * *" }));
    await made2xx(daemon.call("POST", `/v1/tasks/${task.id}/disable`));
    await clock.advance(60_000);
    const [run] = await listRuns(daemon, `task_id=${task.id}`);
    expect(run).toMatchObject({
      state: "skipped",
      outcome: null,
      reason: "task_disabled",
      exit_code: null,
      started_at: null,
      attempt: 0,
      duration_ms: null,
      pid: null,
    });
    expect(run.reason_text).toBe("was skipped: the task is disabled");
    expect(await (daemon satisfies Daemon).call("GET", `/v1/runs/${run.id}/output`)).toMatchObject({
      status: 200,
      text: "",
    });
  });
});
