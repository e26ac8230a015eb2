import type { Instant } from "../../kernel/time/time.ts";
import { type RunRow, runs } from "./table.ts";

/** The columns that name what requested a run; each cause has its own. */
type SourceColumns = Pick<RunRow, Extract<keyof RunRow, `source${string}`>>;

/** What requested a run. */
export type RunCause = Pick<RunRow, "trigger"> & Partial<SourceColumns>;

/** The cause of a run, and the instant it is for. */
export interface RunSource {
  readonly cause: RunCause;
  /** Chosen beforehand for a run whose files must be on disk before its row. */
  readonly runId?: string;
  readonly scheduledFor: Instant;
  readonly notBefore: Instant;
  /** The number of earlier instants merged into this row, and the first of them. */
  readonly coalesced: number;
  readonly coalescedFrom: Instant | null;
}

/** Makes the source of a run for a single instant. The run starts at that instant, or immediately if it is past. */
export function soleSource(cause: RunCause, scheduledFor: Instant, now: Instant): RunSource {
  return { cause, scheduledFor, notBefore: Math.max(scheduledFor, now), coalesced: 0, coalescedFrom: null };
}

// safe because the keys of a table are its columns
const noSource = Object.fromEntries(
  Object.keys(runs)
    .filter((column) => column.startsWith("source"))
    .map((column) => [column, null]),
) as SourceColumns;

export function causeColumns(cause: RunCause): Pick<RunRow, "trigger"> & SourceColumns {
  return { ...noSource, ...cause };
}
