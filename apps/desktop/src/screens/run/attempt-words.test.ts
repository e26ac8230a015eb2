import type { RunAttempt } from "@belfry/client";
import { expect, test } from "vitest";
import { attemptKind, attemptText, barsOf } from "./attempt-words.ts";

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

test("bars lie over the whole time, and one that runs ends now", () => {
  const second = attempt({ number: 2, started_at: "2026-11-23T00:00:30.000Z" });
  expect(barsOf([ended, second], Date.parse("2026-11-23T00:00:40.000Z"))).toEqual([
    { number: 1, left: 0, width: 25 },
    { number: 2, left: 75, width: 25 },
  ]);
  expect(barsOf([attempt({ ended_at: attempt({}).started_at })], 0)).toEqual([{ number: 1, left: 0, width: 0 }]);
});
