import { runStates } from "@belfry/contract";
import { expect, test } from "vitest";
import type { TaskRow } from "../tasks/index.ts";
import { createDescribeRun } from "./describe-run.ts";
import { reasonText } from "./reason-text.ts";
import type { RunRow } from "./table.ts";

const now = Date.parse("2026-03-01T01:00:00Z");

/** The description of a run while these runs of its task are active. */
function describe(
  run: Partial<RunRow>,
  activeIds: readonly string[] = [],
  {
    max = 1,
    concurrencyKey = null,
    isDelayed = false,
    isHeld = false,
    isRunnerTooOld = false,
  }: {
    readonly max?: number;
    readonly concurrencyKey?: string | null;
    readonly isDelayed?: boolean;
    readonly isHeld?: boolean;
    readonly isRunnerTooOld?: boolean;
  } = {},
): string {
  const describeRun = createDescribeRun({
    runs: { listLiveOfPool: () => activeIds.map((id) => ({ id })) },
    // no other column is read
    tasks: {
      find: () => ({ concurrencyKey }) as TaskRow,
      poolOf: () => ({ id: "tsk_1", max }),
      obstacleOf: () => (isHeld ? "held" : "ready"),
    },
    isDelayed: () => isDelayed,
    isRunnerTooOld: () => isRunnerTooOld,
  });
  const row = {
    taskId: "tsk_1",
    attempt: 0,
    attemptId: null,
    attemptsMax: 3,
    notBefore: 0,
    startedAt: null,
    reasonText: null,
    ...run,
  };
  return `The run ${describeRun(row as RunRow, { now, viewer: { capability: "manage", transport: "local" } })}.`;
}

const startedAt = now - 1_000;

test("every state of a run has a sentence", () => {
  const reasons = { succeeded: "exit_code", failed: "timeout", cancelled: "cancelled", skipped: "overlap" } as const;
  const sentences = runStates.map((state) => {
    const reason = state in reasons ? reasonText(reasons[state as keyof typeof reasons], { exitCode: 0 }) : null;
    return `${state}: ${describe({ state, attempt: state === "queued" ? 0 : 1, startedAt, reasonText: reason })}`;
  });
  expect(sentences).toEqual([
    "queued: The run is queued until the limits of its groups and of the daemon allow it to start.",
    "dispatching: The run is starting.",
    "running: The run is running.",
    "cancelling: The run is being cancelled.",
    "succeeded: The run exited with code 0.",
    "failed: The run ran longer than its timeout and was stopped.",
    "cancelled: The run was cancelled.",
    "skipped: The run was skipped: the limit of concurrent runs was reached.",
  ]);
});

test("every cause for which a queued run waits has a sentence", () => {
  expect([
    describe({ state: "queued", notBefore: now + 60_000 }),
    describe({ state: "queued" }, ["run_1"]),
    describe({ state: "queued" }, ["run_1", "run_2"], { max: 2 }),
    describe({ state: "queued" }, ["run_1"], { max: 2 }),
    describe({ state: "queued" }, ["run_1"], { concurrencyKey: "db" }),
    describe({ state: "queued" }, ["run_1", "run_2"], { max: 2, concurrencyKey: "db" }),
    describe({ state: "queued", attempt: 1, startedAt, reasonText: "exited with code 7" }),
  ]).toEqual([
    "The run is queued until 2026-03-01T01:01:00.000Z.",
    "The run is queued: the task's limit of 1 concurrent run is reached (run_1 is active).",
    "The run is queued: the task's limit of 2 concurrent runs is reached.",
    "The run is queued until the limits of its groups and of the daemon allow it to start.",
    'The run is queued: the limit of 1 concurrent run for the concurrency key "db" is reached (run_1 is active).',
    'The run is queued: the limit of 2 concurrent runs for the concurrency key "db" is reached.',
    "The run exited with code 7; it is waiting for attempt 2 of 3.",
  ]);
});

test("a run that waits for a runner that does not respond says so", () => {
  const sentences = (["dispatching", "running", "cancelling"] as const).map((state) =>
    describe({ state, attempt: 1, attemptId: "att_1" }, [], { isDelayed: true }),
  );
  expect(sentences).toEqual([
    "The run is starting, but its runner process does not respond: see belfry doctor.",
    "The run is running, but its runner process does not respond: see belfry doctor.",
    "The run is being cancelled, but its runner process does not respond: see belfry doctor.",
  ]);
});

test("a run that waits for a newer runner says so", () => {
  expect(describe({ state: "queued" }, [], { isRunnerTooOld: true })).toBe(
    "The run is queued until a newer runner process is ready: the present one cannot start this task. Restart the daemon.",
  );
});

test("a run that was cancelled in the queue never started", () => {
  expect(describe({ state: "cancelled", reasonText: "was cancelled" })).toBe(
    "The run was cancelled before it started.",
  );
});
