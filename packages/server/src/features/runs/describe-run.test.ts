import { runStates } from "@belfry/contract";
import { expect, test } from "vitest";
import { createDescribeRun, type DescribeRunDeps } from "./describe-run.ts";
import { reasonText } from "./reason-text.ts";
import type { RunRow } from "./table.ts";

const now = Date.parse("2026-03-01T01:00:00Z");

type Pause = NonNullable<ReturnType<DescribeRunDeps["findPause"]>>;

function describe(
  run: Partial<RunRow>,
  { isDelayed = false, pause = null }: { readonly isDelayed?: boolean; readonly pause?: Pause | null } = {},
): string {
  const describeRun = createDescribeRun({
    explainWait: () => ({ reason: "dispatch", text: "is queued and about to start", until: null, run_ids: [] }),
    isDelayed: () => isDelayed,
    findPause: () => pause,
  });
  const row = { attempt: 0, attemptId: null, startedAt: null, reasonText: null, ...run };
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
    "queued: The run is queued and about to start.",
    "dispatching: The run is starting.",
    "running: The run is running.",
    "cancelling: The run is being cancelled.",
    "succeeded: The run exited with code 0.",
    "failed: The run ran longer than its timeout and was stopped.",
    "cancelled: The run was cancelled.",
    "skipped: The run was skipped: the limit of concurrent runs was reached.",
  ]);
});

test("a run that waits for a runner that does not respond says so", () => {
  const sentences = (["dispatching", "running", "cancelling"] as const).map((state) =>
    describe({ state, attempt: 1, attemptId: "att_1" }, { isDelayed: true }),
  );
  expect(sentences).toEqual([
    "The run is starting, but its runner process does not respond: see belfry doctor.",
    "The run is running, but its runner process does not respond: see belfry doctor.",
    "The run is being cancelled, but its runner process does not respond: see belfry doctor.",
  ]);
});

test("a run whose order runners left unanswered says when it is sent again", () => {
  const pause = { unanswered: 3, until: now + 300_000 };
  expect(describe({ state: "dispatching", attempt: 1, attemptId: "att_1" }, { isDelayed: true, pause })).toBe(
    "The run is starting, but 3 runner processes did not answer the order to start it: the order is sent again at 2026-03-01T01:05:00.000Z.",
  );
});

test("a run that was cancelled in the queue never started", () => {
  expect(describe({ state: "cancelled", reasonText: "was cancelled" })).toBe(
    "The run was cancelled before it started.",
  );
});
