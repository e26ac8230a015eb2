import { Retry } from "@belfry/contract";
import { fc } from "@belfry/test-kit/properties";
import { describe, expect, test } from "vitest";
import { type AttemptOutcome, retryDelayMs, resolveOutcome, type OutcomeTerms } from "./resolve-outcome.ts";
import type { RunRow } from "./table.ts";

const retry: Retry = { max_attempts: 3, delay: "10s", backoff: 2, max_delay: "1h", jitter: 0 };
const terms: OutcomeTerms = { successExitCodes: [0, 3], retry, onLost: "fail", timeoutMs: 60_000, chance: 0.5 };

function end(cause: AttemptOutcome["cause"], more: Partial<AttemptOutcome> = {}): AttemptOutcome {
  return { cause, exitCode: null, signal: null, detail: null, ...more };
}

/** A run in its first of three attempts. */
function run(more: Partial<RunRow> = {}): RunRow {
  // resolveOutcome reads no other column
  return { attempt: 1, attemptsMax: 3, cancelRequestedAt: null, ...more } as RunRow;
}

/** A run that has no attempt left. */
const lastTry = run({ attempt: 3 });

describe("the outcome of a run by the end of its attempt", () => {
  test.each([
    [
      "an exit code of the list",
      end("exit", { exitCode: 3 }),
      { state: "succeeded", outcome: "success", reason: "exit_code", exitCode: 3 },
    ],
    [
      "another exit code",
      end("exit", { exitCode: 1 }),
      { state: "failed", outcome: "failure", reason: "exit_code", exitCode: 1 },
    ],
    [
      "a signal",
      end("signal", { signal: "SIGSEGV" }),
      { state: "failed", outcome: "failure", reason: "signal", signal: "SIGSEGV" },
    ],
    [
      "its time limit",
      end("timeout", { signal: "SIGKILL" }),
      { state: "failed", outcome: "failure", reason: "timeout", signal: "SIGKILL" },
    ],
    [
      "its time limit, though it then exited with 0",
      end("timeout", { exitCode: 0 }),
      { state: "failed", outcome: "failure", reason: "timeout", exitCode: 0 },
    ],
    [
      "a failed start",
      end("spawn_error", { detail: "ENOENT: x" }),
      { state: "failed", outcome: "failure", reason: "spawn_error" },
    ],
    ["a lost runner", end("lost"), { state: "failed", outcome: "failure", reason: "lost" }],
    [
      "a cancel",
      end("cancelled", { signal: "SIGTERM" }),
      { state: "cancelled", outcome: null, reason: "cancelled", signal: "SIGTERM" },
    ],
    [
      "a cancel, though it then exited with 0",
      end("cancelled", { exitCode: 0 }),
      { state: "cancelled", outcome: null, reason: "cancelled", exitCode: 0 },
    ],
  ] as const)("%s", (_name, outcome, expected) => {
    const resolved = resolveOutcome(lastTry, terms, outcome);
    expect(resolved.kind).toBe("final");
    expect(resolved.change).toMatchObject(expected);
  });

  test("an exit without a code is not a success, whatever the list contains", () => {
    expect(resolveOutcome(lastTry, terms, end("exit")).change.outcome).toBe("failure");
  });

  test.each([
    ["exit", { exitCode: 1 }],
    ["signal", { signal: "SIGBUS" }],
    ["timeout", { signal: "SIGTERM" }],
  ] as const)("a failure by %s is tried again while attempts are left", (cause, more) => {
    expect(resolveOutcome(run(), terms, end(cause, more))).toMatchObject({ kind: "retry", delayMs: 10_000 });
    expect(resolveOutcome(run({ attempt: 2 }), terms, end(cause, more))).toMatchObject({
      kind: "retry",
      delayMs: 20_000,
    });
    expect(resolveOutcome(lastTry, terms, end(cause, more)).kind).toBe("final");
  });

  test("a failed start, a cancel and a lost attempt are final immediately", () => {
    for (const cause of ["spawn_error", "cancelled", "lost"] as const)
      expect(resolveOutcome(run(), terms, end(cause)).kind, cause).toBe("final");
  });

  test("a lost attempt is retried if the task says so, at least once, and other failures are not", () => {
    const onLost = { ...terms, onLost: "retry" } as const;
    const only = run({ attemptsMax: 1 });
    expect(resolveOutcome(only, onLost, end("lost"))).toMatchObject({
      kind: "retry",
      delayMs: 10_000,
      change: { reason: "lost", attemptsMax: 2 },
    });
    expect(resolveOutcome(run({ attempt: 2, attemptsMax: 2 }), onLost, end("lost")).kind).toBe("final");
    expect(resolveOutcome(run({ attempt: 2 }), onLost, end("lost"))).toMatchObject({ change: { attemptsMax: 3 } });
    expect(resolveOutcome(lastTry, onLost, end("lost")).kind).toBe("final");
    expect(resolveOutcome(run({ cancelRequestedAt: 1 }), onLost, end("lost")).kind).toBe("final");
    for (const cause of ["exit", "signal", "timeout", "spawn_error"] as const)
      expect(resolveOutcome(only, onLost, end(cause, { exitCode: 1 })).kind, cause).toBe("final");
  });

  test("a run with a requested cancel is not retried, however its attempt ended", () => {
    const resolved = resolveOutcome(run({ cancelRequestedAt: 1 }), terms, end("exit", { exitCode: 1 }));
    expect(resolved).toMatchObject({ kind: "final", change: { state: "failed", reason: "exit_code" } });
  });

  test("a success is never retried", () => {
    expect(resolveOutcome(run(), terms, end("exit", { exitCode: 0 })).kind).toBe("final");
  });
});

describe("the pause before the next attempt", () => {
  test("grows with each attempt up to its maximum", () => {
    const pauses = [1, 2, 3, 4, 5].map((attempt) => retryDelayMs({ ...retry, max_delay: "1m" }, attempt, 0.5));
    expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  test("stays the same without backoff", () => {
    expect([1, 2, 9].map((attempt) => retryDelayMs({ ...retry, backoff: 1 }, attempt, 0.5))).toEqual([
      10_000, 10_000, 10_000,
    ]);
  });

  test("is bounded after any number of attempts", () => {
    expect(retryDelayMs({ ...retry, backoff: 10 }, 1_000, 0.5)).toBe(3_600_000);
    expect(retryDelayMs({ ...retry, delay: "0s", backoff: 10 }, 1_000, 0.5)).toBe(0);
  });

  test("varies by at most its jitter in both directions, over the whole range", () => {
    const jittered = { ...retry, jitter: 0.25 };
    expect(retryDelayMs(jittered, 1, 0)).toBe(7_500);
    expect(retryDelayMs(jittered, 1, 1)).toBe(12_500);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 50 }),
        (fraction, jitter, attempt) => {
          const plain = retryDelayMs(retry, attempt, 0.5);
          const moved = retryDelayMs({ ...retry, jitter }, attempt, fraction);
          expect(Math.abs(moved - plain)).toBeLessThanOrEqual(Math.ceil(plain * jitter));
          expect(moved).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
