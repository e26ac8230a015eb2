import type { Instant } from "../../kernel/time/time.ts";
import type { RunOutcome, RunReason, RunState } from "@belfry/contract";

export interface RunEnd {
  readonly taskName: string;
  readonly state: RunState;
  readonly reason: RunReason | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly attempt: number;
  readonly durationMs: number | null;
  /** Null for a run that never started. */
  readonly startedAt: Instant | null;
  readonly endedAt: Instant | null;
  readonly sourceWatcherId: string | null;
}

export type RunFact =
  | { readonly name: "run.requested"; readonly runId: string; readonly taskId: string }
  | { readonly name: "run.dispatched"; readonly runId: string; readonly taskId: string }
  | { readonly name: "run.started"; readonly runId: string; readonly taskId: string }
  /** The run was cancelled; the signal follows after the commit. */
  | {
      readonly name: "run.cancelling";
      readonly runId: string;
      readonly taskId: string;
      readonly attemptId: string;
      readonly graceMs: number;
    }
  /** An attempt failed and another follows after a pause. */
  | { readonly name: "run.retrying"; readonly runId: string; readonly taskId: string }
  /** A row is final. This includes skipped rows. */
  | {
      readonly name: "run.ended";
      readonly runId: string;
      readonly taskId: string;
      readonly outcome: RunOutcome | null;
      /** The state before the end; null for a row that was created in its final state. */
      readonly from: RunState | null;
      /** The end, for the log: the row may be pruned in the same write. */
      readonly end: RunEnd;
    }
  /** One more instant was merged into a skipped row. */
  | { readonly name: "run.coalesced"; readonly runId: string; readonly taskId: string }
  | {
      readonly name: "run.deleted";
      readonly runId: string;
      readonly taskId: string;
      readonly attemptIds: readonly string[];
    };
/** A run of the task ended. Its history is pruned after all ends of the same write have been handled. */
export interface HistoryGrown {
  readonly name: "history.grown";
  readonly taskId: string;
}
export type RunEnded = Extract<RunFact, { name: "run.ended" }>;
