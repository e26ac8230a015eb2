import type { RunOutcome } from "@belfry/contract";
import type { Instant } from "../../kernel/time/time.ts";
import type { RunRow } from "./table.ts";

/** What requested a run. */
export type RunCause =
  | { readonly trigger: "manual" }
  | { readonly trigger: "schedule"; readonly scheduleId: string }
  | { readonly trigger: "external_trigger"; readonly triggerId: string }
  | {
      readonly trigger: "completion";
      readonly chainId: string;
      readonly sourceTaskId: string;
      readonly sourceRunId: string;
      readonly sourceOutcome: RunOutcome;
      readonly sourceExitCode: number | null;
    };

/** The cause of a run, and the instant it is for. */
export interface RunSource {
  readonly cause: RunCause;
  readonly scheduledFor: Instant;
  readonly notBefore: Instant;
  /** The number of earlier instants merged into this row, and the first of them. */
  readonly coalesced: number;
  readonly coalescedFrom: Instant | null;
}

/** For a single instant; the run starts at it, or immediately if it is past. */
export function soleSource(cause: RunCause, scheduledFor: Instant, now: Instant): RunSource {
  return { cause, scheduledFor, notBefore: Math.max(scheduledFor, now), coalesced: 0, coalescedFrom: null };
}

type CauseColumns = Pick<
  RunRow,
  | "trigger"
  | "sourceScheduleId"
  | "sourceTriggerId"
  | "sourceChainId"
  | "sourceTaskId"
  | "sourceRunId"
  | "sourceOutcome"
  | "sourceExitCode"
>;

const none = {
  sourceScheduleId: null,
  sourceTriggerId: null,
  sourceChainId: null,
  sourceTaskId: null,
  sourceRunId: null,
  sourceOutcome: null,
  sourceExitCode: null,
};

export function causeColumns(cause: RunCause): CauseColumns {
  switch (cause.trigger) {
    case "manual":
      return { ...none, trigger: cause.trigger };
    case "schedule":
      return { ...none, trigger: cause.trigger, sourceScheduleId: cause.scheduleId };
    case "external_trigger":
      return { ...none, trigger: cause.trigger, sourceTriggerId: cause.triggerId };
    case "completion": {
      const { chainId, ...columns } = cause;
      return { ...none, ...columns, sourceChainId: chainId };
    }
  }
}
