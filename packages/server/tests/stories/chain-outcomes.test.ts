import { ManualClock, until } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import type { Json } from "../support/harness.ts";
import { untilRound } from "../support/rounds.ts";
import { startDaemon } from "../support/harness.ts";
import { killRunners } from "../support/processes/runners.ts";
import {
  cancel,
  type Daemon,
  getRun,
  listRuns,
  made2xx,
  makeTask,
  outputOf,
  startRun,
  untilEnd,
  untilState,
} from "../support/tasks.ts";
import { linkEachOutcome, outcomesStartedBy, startedBy } from "../support/chains.ts";

const onSuccess = ["any", "success"];
const onFailure = ["any", "failure"];

/** Makes a source task with a chain for each outcome, runs it, and returns the ended run. */
async function runLinked(daemon: Daemon, script: string, more: object = {}): Promise<Json> {
  const source = await makeTask(daemon, script, more);
  await linkEachOutcome(daemon, source);
  return untilEnd(daemon, await startRun(daemon, source));
}

/** Each case is one row of the outcome map: how the source ended, and which targets were requested in that commit. */
describe("the end of a run starts its targets by outcome", () => {
  const rows: readonly (readonly [what: string, script: string, task: object, reason: string, started: string[]])[] = [
    ["an exit code of the task's list", "exit 3", { success_exit_codes: [3] }, "exit_code", onSuccess],
    ["another exit code", "exit 7", {}, "exit_code", onFailure],
    ["exit code 0, if the list omits it", ":", { success_exit_codes: [3] }, "exit_code", onFailure],
    ["a signal", "kill -SEGV $$", {}, "signal", onFailure],
    ["a time-out", "sleep 3600", { timeout: "200ms" }, "timeout", onFailure],
    ["a start that fails", "", { command: { kind: "exec", program: "/no/such" } }, "spawn_error", onFailure],
  ];
  test.each(rows)("%s", async (_what, script, task, reason, started) => {
    await using daemon = await startDaemon();
    const run = await runLinked(daemon, script, task);
    expect(run.reason).toBe(reason);
    expect(await outcomesStartedBy(daemon, run)).toEqual(started);
  });

  test("a lost runner is failure", async () => {
    await using daemon = await startDaemon();
    const source = await makeTask(daemon, "sleep 3600", { kill_grace: "0s" });
    await linkEachOutcome(daemon, source);
    const run = await startRun(daemon, source);
    await untilState(daemon, run, "running");
    await killRunners(daemon.dataDir);
    expect(await untilEnd(daemon, run)).toMatchObject({ reason: "lost" });
    expect(await outcomesStartedBy(daemon, run)).toEqual(onFailure);
  });

  test("a cancel of a running or waiting source starts nothing, whatever its exit code", async () => {
    await using daemon = await startDaemon();
    const source = await makeTask(daemon, "trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done");
    await linkEachOutcome(daemon, source);
    const running = await startRun(daemon, source);
    await until("ready", async () => (await outputOf(daemon, running)) === "ready\n");
    const waiting = await startRun(daemon, source, { scheduled_for: "2990-01-01T00:00:00Z" });
    for (const run of [waiting, running]) {
      await cancel(daemon, run);
      expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled", outcome: null });
      expect(await startedBy(daemon, run)).toEqual([]);
    }
  });

  test("a skip starts nothing", async () => {
    const clock = new ManualClock("2026-03-01T00:00:30Z");
    await using daemon = await startDaemon({ clock });
    const source = await makeTask(daemon, ":");
    await linkEachOutcome(daemon, source);
    await made2xx(daemon.call("POST", "/v1/schedules", { task_id: source.id, kind: "interval", every: "1m" }));
    await made2xx(daemon.call("POST", `/v1/tasks/${source.id}/disable`));
    await clock.advance(60_000);
    const [run] = await listRuns(daemon, `task_id=${source.id}`);
    expect(run).toMatchObject({ state: "skipped", reason: "task_disabled" });
    expect(await startedBy(daemon, run)).toEqual([]);
  });

  test("only the end of the last attempt counts, and starts the targets once", async () => {
    await using daemon = await startDaemon();
    const retry = { max_attempts: 3, delay: "0s" };
    const saved = await runLinked(daemon, 'test "$BELFRY_ATTEMPT" = 3', { retry });
    expect(saved).toMatchObject({ state: "succeeded", attempt: 3 });
    expect(await outcomesStartedBy(daemon, saved)).toEqual(onSuccess);
    const lost = await runLinked(daemon, "exit 1", { retry });
    expect(lost).toMatchObject({ state: "failed", attempt: 3 });
    expect(await outcomesStartedBy(daemon, lost)).toEqual(onFailure);
  });

  test("a source that was disabled before its retry fails, and starts its targets for failure", async () => {
    const clock = new ManualClock();
    await using daemon = await startDaemon({ clock });
    const source = await makeTask(daemon, "exit 1", { retry: { max_attempts: 2, delay: "1h", jitter: 0 } });
    await linkEachOutcome(daemon, source);
    const run = await startRun(daemon, source);
    await untilRound(daemon, "the pause between its attempts", async () => {
      const { state, attempt } = await getRun(daemon, run);
      return state === "queued" && attempt === 2;
    });
    expect(await startedBy(daemon, run)).toEqual([]);
    await made2xx(daemon.call("POST", `/v1/tasks/${source.id}/disable`));
    await clock.advance(3_600_000);
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", attempt: 1 });
    expect(await outcomesStartedBy(daemon, run)).toEqual(onFailure);
  });
});
