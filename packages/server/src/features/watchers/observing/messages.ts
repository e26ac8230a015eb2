import type { Timings } from "./settling.ts";

/** A watcher as the observer needs it. */
export interface WatchOrder extends Timings {
  readonly id: string;
  readonly kind: "file" | "directory";
  readonly path: string;
  readonly pattern: string;
  readonly isRecursive: boolean;
  /** What is found at a start and differs from what was handed to a run counts as changed (`scan`), or is taken as it is. */
  readonly onStart: "scan" | "ignore";
  /** The number of this observation: what was known in a former one does not count. */
  readonly observation: number;
  /** The wall clock when the definition began to observe: what changed later counts, however late the first look is. */
  readonly observedFrom: number;
}

/** Codes of health, whose words are in health.ts. */
export type HealthCode =
  | "starting"
  | "observing"
  | "file_missing"
  | "polling_watches"
  | "polling_instances"
  | "polling_network"
  | "partly_polled"
  | "partly_unreadable"
  | "partly_remote"
  | "never_rests"
  | "missing"
  | "denied"
  | "not_directory"
  | "not_file"
  | "elsewhere"
  | "own_files"
  | "too_many"
  | "unreadable"
  | "no_answer"
  | "failed"
  | "disabled";

/** From the daemon to the observer. */
export type ToObserver = { readonly watcherId: string } & (
  | {
      readonly is: "observe";
      readonly watcher: WatchOrder;
      /** The wall clock when the daemon started, if this is the first observation after that. */
      readonly startedAt: number | null;
    }
  | { readonly is: "timings"; readonly watcher: WatchOrder }
  /** Stop observing, and delete what is known unless another observer continues with it. */
  | { readonly is: "leave"; readonly isForgotten: boolean }
  | { readonly is: "rescan" }
  /** A run may be requested now. */
  | { readonly is: "free" }
  /** Write the files of a run; `joins` if the run waits and has files already. A run also gets those of the run it replaces. */
  | {
      readonly is: "prepare";
      readonly runId: string;
      readonly joins: boolean;
      readonly replacedId?: string | null;
    }
  | { readonly is: "handed"; readonly runId: string }
  | { readonly is: "refused"; readonly runId: string }
  | { readonly is: "ended"; readonly runId: string; readonly wasStarted: boolean }
);

/** To a thread, as its last message: it ends by itself. */
export const endOfThread = null;

/** From the observer to the daemon. */
export type FromObserver =
  /** A sign of life, at least once in two seconds. */
  | { readonly is: "alive" }
  | { readonly is: "health"; readonly watcherId: string; readonly code: HealthCode }
  | { readonly is: "settling"; readonly watcherId: string; readonly isSettling: boolean }
  /** Files have settled and wait for a run. */
  | { readonly is: "settled"; readonly watcherId: string; readonly count: number }
  /** It is no longer observed, and what is known of it is on disk. */
  | { readonly is: "left"; readonly watcherId: string }
  | { readonly is: "prepared"; readonly watcherId: string; readonly runId: string; readonly count: number }
  /** Nothing was left to hand over, or the files could not be written. */
  | { readonly is: "unprepared"; readonly watcherId: string; readonly runId: string; readonly failure: string | null }
  | { readonly is: "failure"; readonly watcherId: string | null; readonly failure: string };

/** What a thread or process of the observer begins with. */
export interface ObserverStart {
  readonly folder: string;
  readonly runsFolder: string;
  readonly dataDir: string;
  readonly hashKey: Uint8Array;
  /** A watcher of more files is not observed. */
  readonly filesMax: number;
  /** The mount of which this observer looks at paths, for a process; null for the thread, which leaves out such mounts. */
  readonly mount: string | null;
}
