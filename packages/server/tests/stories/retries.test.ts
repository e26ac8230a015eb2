import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { openStream } from "../support/stream.ts";
import { type Harness, type Json, startDaemon } from "../support/harness.ts";
import { untilRound } from "../support/rounds.ts";
import { cancel, getRun, made2xx, makeTask, outputOf, startRun, untilEnd } from "../support/tasks.ts";

const failing = 'echo "attempt $BELFRY_ATTEMPT"; exit 7';

/** Waits until the run pauses before this attempt and has its number. */
function untilPausing(daemon: Harness, run: { readonly id: string }, attempt: number) {
  return untilRound(daemon, `the pause after attempt ${attempt}`, async () => {
    const now = await getRun(daemon, run);
    return now.state === "queued" && now.attempt === attempt + 1 ? now : null;
  });
}

test("a failed run is retried after its delay, then after twice its delay, and its last attempt decides", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const script = 'echo "attempt $BELFRY_ATTEMPT"; echo "oh $BELFRY_ATTEMPT" >&2; test "$BELFRY_ATTEMPT" = 3';
  const task = await makeTask(daemon, script, { retry: { max_attempts: 5, delay: "10s", backoff: 2, jitter: 0 } });
  const run = await startRun(daemon, task);
  expect(await untilPausing(daemon, run, 1)).toMatchObject({
    attempts_max: 5,
    outcome: null,
    reason: "exit_code",
    exit_code: 1,
    pid: null,
    ended_at: null,
  });
  await clock.advance(9_999);
  expect(await getRun(daemon, run)).toMatchObject({ state: "queued", attempt: 2 });
  await clock.advance(1);
  await untilPausing(daemon, run, 2);
  await clock.advance(19_999);
  expect(await getRun(daemon, run)).toMatchObject({ state: "queued", attempt: 3 });
  await clock.advance(1);
  expect(await untilEnd(daemon, run)).toMatchObject({
    state: "succeeded",
    outcome: "success",
    exit_code: 0,
    attempt: 3,
  });
  for (const attempt of [1, 2, 3]) {
    expect(await outputOf(daemon, run, `?attempt=${attempt}`)).toBe(`attempt ${attempt}\n`);
    expect(await outputOf(daemon, run, `?attempt=${attempt}&stream=stderr`)).toBe(`oh ${attempt}\n`);
  }
  expect(await outputOf(daemon, run)).toBe("attempt 3\n");
  expect((await daemon.call("GET", `/v1/runs/${run.id}/output?attempt=4`)).json.error).toMatchObject({
    code: "not_found",
    field: "attempt",
  });
});

test("a run has no more attempts than its task allows, and ends with the result of its last attempt", async () => {
  await using daemon = await startDaemon();
  const task = await makeTask(daemon, failing, { retry: { max_attempts: 3, delay: "0s" } });
  const run = await untilEnd(daemon, await startRun(daemon, task));
  expect(run).toMatchObject({ state: "failed", outcome: "failure", exit_code: 7, attempt: 3, attempts_max: 3 });
  expect(Date.parse(run.ended_at) - Date.parse(run.started_at)).toBe(run.duration_ms);
});

test("jitter changes each pause by at most its share, and by different amounts", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const task = await makeTask(daemon, failing, {
    concurrency: { limit: 24 },
    retry: { max_attempts: 2, delay: "100s", jitter: 0.5 },
  });
  const runs: Json[] = [];
  for (let asked = 0; asked < 24; asked++) runs.push(await startRun(daemon, task));
  for (const run of runs) await untilPausing(daemon, run, 1);
  await clock.advance(49_999);
  for (const run of runs) expect((await getRun(daemon, run)).state).toBe("queued");
  await clock.advance(50_001);
  const early = async () =>
    (await Promise.all(runs.map((run) => getRun(daemon, run)))).filter(({ state }) => state !== "queued").length;
  await untilRound(daemon, "those whose pause was shorter", async () => (await early()) > 0);
  expect(await early()).toBeLessThan(24);
  await clock.advance(50_001);
  for (const run of runs) expect((await untilEnd(daemon, run)).attempt).toBe(2);
});

test("a pause outlives the daemon: the next daemon continues it", async () => {
  await using dir = await tempDir("bf-");
  const clock = new ManualClock();
  const first = await startDaemon({ clock, dataDir: dir.path });
  const run = await startRun(
    first,
    await makeTask(first, failing, { retry: { max_attempts: 2, delay: "1h", jitter: 0 } }),
  );
  await untilPausing(first, run, 1);
  await first.stop();
  await clock.advance(3_599_000);
  await using second = await startDaemon({ clock, dataDir: dir.path });
  expect(await getRun(second, run)).toMatchObject({ state: "queued", attempt: 2 });
  await clock.advance(1_000);
  expect(await untilEnd(second, run)).toMatchObject({ state: "failed", attempt: 2 });
});

test("between two attempts a run and its events have the next number, and the output of both can be read", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  await using stream = await openStream(daemon.socketPath, "/v1/events?kinds=run");
  const task = await makeTask(daemon, failing, { retry: { max_attempts: 2, delay: "1h", jitter: 0 } });
  const run = await startRun(daemon, task);
  expect(run.attempt).toBe(0);
  await untilPausing(daemon, run, 1);
  const pausing = await until("the event of the pause", () =>
    stream.frames.findLast(({ data }) => data.id === run.id && data.state === "queued" && data.attempt > 0),
  );
  expect(pausing.data).toMatchObject({ verb: "updated", attempt: 2 });
  const { json } = await daemon.call("GET", `/v1/runs?state=queued`);
  expect(json.runs).toMatchObject([{ id: run.id, attempt: 2 }]);

  expect(await outputOf(daemon, run)).toBe("attempt 1\n");
  expect(await outputOf(daemon, run, "?attempt=1")).toBe("attempt 1\n");
  expect(await daemon.call("GET", `/v1/runs/${run.id}/output?attempt=2`)).toMatchObject({ status: 200, text: "" });
  expect((await daemon.call("GET", `/v1/runs/${run.id}/output?attempt=3`)).status).toBe(404);
  const next = outputOf(daemon, run, "?attempt=2&follow=true");
  await clock.advance(3_600_000);
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", attempt: 2 });
  await clock.advance(1_000);
  expect(await next).toBe("attempt 2\n");
});

test("a client that follows the next attempt of a run gets the end of a cancel before that attempt", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const run = await startRun(daemon, await makeTask(daemon, failing, { retry: { max_attempts: 2, delay: "1h" } }));
  await untilPausing(daemon, run, 1);
  await using output = await openStream(daemon.socketPath, `/v1/runs/${run.id}/output?attempt=2&follow=true`);
  await cancel(daemon, run);
  await clock.advance(1_000);
  expect((await output.next()).data).toEqual({ state: "cancelled" });
});

test("a cancel between two attempts is immediate and final, and leaves the last attempt's facts", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const run = await startRun(daemon, await makeTask(daemon, failing, { retry: { max_attempts: 3, delay: "1h" } }));
  await untilPausing(daemon, run, 1);
  const answer = await cancel(daemon, run);
  expect(answer.json).toMatchObject({
    state: "cancelled",
    outcome: null,
    reason: "cancelled",
    attempt: 1,
    exit_code: 7,
  });
  expect(answer.json.ended_at).not.toBeNull();
  expect(answer.json.duration_ms).not.toBeNull();
  await clock.advance(7_200_000);
  expect(await getRun(daemon, run)).toMatchObject({ state: "cancelled", attempt: 1 });
});

test("a run between two attempts uses no slot, so the next run of its task starts first", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock, config: { runsAtOnceMax: 1 } });
  const task = await makeTask(daemon, 'test "$BELFRY_ATTEMPT" = 2', {
    retry: { max_attempts: 2, delay: "1h" },
    concurrency: { limit: 1, on_conflict: "skip" },
  });
  const pausing = await startRun(daemon, task);
  await untilPausing(daemon, pausing, 1);
  const next = await startRun(daemon, task);
  await untilPausing(daemon, next, 1);
  await clock.advance(2 * 3_600_000);
  for (const run of [pausing, next])
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "succeeded", attempt: 2 });
});

test("a run whose task is disabled before the next attempt fails, and its text reports that no attempt follows", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const task = await makeTask(daemon, failing, { retry: { max_attempts: 3, delay: "1h" } });
  const run = await startRun(daemon, task);
  await untilPausing(daemon, run, 1);
  await made2xx(daemon.call("POST", `/v1/tasks/${task.id}/disable`));
  await clock.advance(7_200_000);
  expect(await untilEnd(daemon, run)).toMatchObject({
    state: "failed",
    outcome: "failure",
    reason: "exit_code",
    exit_code: 7,
    reason_text: "exited with code 7; it was not retried because the task is disabled",
  });
});

test("a cancel during an attempt prevents the next one, however that attempt ends", async () => {
  await using daemon = await startDaemon();
  const script = `trap 'exit 7' TERM; echo ready; while :; do sleep 0.05; done`;
  const run = await startRun(daemon, await makeTask(daemon, script, { retry: { max_attempts: 5, delay: "0s" } }));
  await until("ready", async () => (await outputOf(daemon, run)) === "ready\n");
  await cancel(daemon, run);
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled", attempt: 1, exit_code: 7 });
});
