import type { WatcherHealthReason, WatcherHealthState } from "@belfry/contract";
import type { Instant } from "../../kernel/time/time.ts";
import type { WatcherRow } from "./table.ts";

/** The present state of one watcher, which only the running daemon knows. */
export interface WatcherObservation {
  readonly health: {
    readonly state: WatcherHealthState;
    readonly reason: WatcherHealthReason;
    readonly since: Instant;
  };
  /** Files have changed and are not settled yet. */
  readonly isSettling: boolean;
  /** Settled files wait until a run can be requested for them. */
  readonly waitsForRun: boolean;
}

/** Also called within the write that changed the row, before the observer knows of it. */
export type ObservationOf = (watcher: WatcherRow) => WatcherObservation;
