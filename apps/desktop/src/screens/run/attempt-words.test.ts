import type { Run, RunAttempt } from "@belfry/client";
import { expect, test } from "vitest";
import { attemptKind, attemptText, pictureOf } from "./attempt-words.ts";

const attempt = (more: Partial<RunAttempt>): RunAttempt => ({
  number: 1,
  created_at: "2026-11-23T00:00:00.000Z",
  started_at: "2026-11-23T00:00:00.000Z",
  ended_at: null,
  reason: null,
  exit_code: null,
  signal: null,
  output: { stdout_bytes: 0, stderr_bytes: 0, stdout_cut: 0, stderr_cut: 0 },
  ...more,
});
const ended = attempt({ ended_at: "2026-11-23T00:00:10.000Z", reason: "exit_code", exit_code: 3 });

test.each([
  [attempt({}), "is running"],
  [ended, "exited with code 3"],
  [attempt({ reason: "signal", signal: "SIGKILL" }), "was ended by SIGKILL"],
  [attempt({ reason: "timeout" }), "ran into its timeout"],
])("%# an attempt says how it went", (of, text) => expect(attemptText(of)).toBe(text));

test("the last attempt is what the run is, unless another follows", () => {
  expect(attemptKind(attempt({}), { state: "running" }, true)).toBe("running");
  expect(attemptKind(ended, { state: "succeeded" }, false)).toBe("failure");
  expect(attemptKind(ended, { state: "succeeded" }, true)).toBe("success");
  expect(attemptKind(ended, { state: "queued" }, true)).toBe("failure");
});

const run = (more: Partial<Run>): Run =>
  ({ id: "run_1", task_id: "tsk_1", task_name: "Backup", state: "running", ...more }) as Run;
const at = (seconds: number): number => Date.parse("2026-11-23T00:00:00.000Z") + seconds * 1_000;

test("the picture of one attempt reaches from its begin to its end, and one that runs until now", () => {
  const done = pictureOf(run({ state: "succeeded" }), [ended], at(500))!;
  expect(done.row.past.runs).toMatchObject([{ id: "1", state: "succeeded" }]);
  expect([done.from < at(0), done.until > at(10), done.until < at(11)]).toEqual([true, true, true]);
  const running = pictureOf(run({}), [attempt({})], at(40))!;
  expect(running.until).toBeGreaterThan(at(40));
  expect(pictureOf(run({ state: "queued" }), [], at(40))).toBeNull();
});

test("in the pause before a retry, the picture has the failed attempt, now, and the time of the next one", () => {
  const waiting = { reason: "retry", text: "waits", until: new Date(at(60)).toISOString(), run_ids: [] };
  const paused = run({ state: "queued", waiting: waiting as unknown as NonNullable<Run["waiting"]> });
  const { row, until } = pictureOf(paused, [ended], at(20))!;
  expect(row.past.runs).toMatchObject([{ id: "1", state: "failed" }]);
  expect(row.future).toMatchObject({ times: [{ at: "2026-11-23T00:01:00.000Z" }] });
  expect(until).toBeGreaterThan(at(60));
});

test("a very short attempt does not fill the picture", () => {
  const short = attempt({ ended_at: "2026-11-23T00:00:00.005Z" });
  const { from, until } = pictureOf(run({ state: "failed" }), [short], at(20))!;
  expect(until - from).toBeGreaterThanOrEqual(2_000);
});
