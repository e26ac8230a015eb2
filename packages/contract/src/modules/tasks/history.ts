import { z } from "zod";
import { ResourceId, Timestamp } from "../../core/scalars.ts";
import { Run, runOutcomes } from "../runs/schemas.ts";

/** A task shows so many outcomes, and in a list as many as the caller wants. */
export const recentOutcomesShown = 5;
export const recentOutcomesMax = 20;
/** The usual duration is the median of so many successful runs. */
export const usualDurationRuns = 20;

/** A run, as its task shows it. */
export const LastRun = Run.pick({
  id: true,
  state: true,
  outcome: true,
  reason: true,
  exit_code: true,
  signal: true,
  started_at: true,
  ended_at: true,
  duration_ms: true,
}).meta({ id: "LastRun" });
export type LastRun = z.output<typeof LastRun>;

export const RecentOutcome = z
  .object({ run_id: ResourceId, outcome: z.enum(runOutcomes), ended_at: Timestamp })
  .meta({ id: "RecentOutcome" });
export type RecentOutcome = z.output<typeof RecentOutcome>;
