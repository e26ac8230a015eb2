import type { WatcherHealthReason, WatcherHealthState } from "@belfry/contract";
import type { Instant } from "../../kernel/time/time.ts";
import type { WatcherRow } from "./table.ts";

/** What settled files wait for: the end of a run, a task that cannot start, or another try after a write that failed. */
export type WaitsFor = "slot" | "task" | "retry";

/** The present state of one watcher, which only the running daemon knows. */
export interface WatcherObservation {
  readonly health: {
    readonly state: WatcherHealthState;
    readonly reason: WatcherHealthReason;
    readonly since: Instant;
  };
  /** Files have changed and are not settled yet. */
  readonly isSettling: boolean;
  /** Null where no settled files wait for a run. */
  readonly waitsFor: WaitsFor | null;
}

/** Also called within the write that changed the row, before the observer knows of it. */
export type ObservationOf = (watcher: WatcherRow) => WatcherObservation;
