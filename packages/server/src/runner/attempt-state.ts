import type { Mark } from "./claims/claim.ts";
import type { AttemptEnd, StopCause } from "./protocol/messages.ts";
import type { ProcessId } from "./processes/processes.ts";
import type { Stop } from "./processes/stop-process-tree.ts";

/** The main process of an attempt, since when it runs by the wall clock and by the monotonic one. */
export interface RunningTask {
  readonly main: ProcessId;
  readonly mark: Mark | null;
  readonly at: number;
  readonly sinceMs: number;
}

/** The first cause counts: whatever comes later can only shorten the grace. */
export interface Stopping {
  readonly cause: StopCause;
  readonly stop: Stop;
  /** The processes that would not end. */
  readonly remaining: Promise<readonly number[]>;
}

/**
 * One attempt, from its order until it is forgotten.
 *
 *   starting   it is claimed, gets its pipes, its program is started. A cancel now means that the program never starts
 *   running    its output is kept, its time limit counts. A cancel or the limit begins a stop
 *   stopping   the cause goes into the claim, then signals go out
 *   draining   the main process has ended, or a stop has given up on it. A stop goes on until nothing of the attempt is
 *              left, and the pipes are emptied. No cause is set any more
 *   ending     the end is being written
 *   ended      the daemon was told, whether the end could be written or not: a full disk holds up no run. While it could
 *              not, it is kept here and tried again
 *   forgotten  the claim goes, the output moves to where it stays
 *   left       never ran here: refused (claimed by another), or returned (the system is short of something, or its folders
 *              were removed)
 */
export type AttemptState =
  | { readonly is: "starting"; readonly cause: StopCause | null }
  | { readonly is: "running"; readonly task: RunningTask }
  | { readonly is: "stopping"; readonly task: RunningTask; readonly stopping: Stopping }
  | { readonly is: "draining"; readonly task: RunningTask; readonly stopping: Stopping | null }
  | { readonly is: "ending"; readonly end: AttemptEnd }
  | { readonly is: "ended"; readonly end: AttemptEnd; readonly isWritten: boolean }
  | { readonly is: "forgotten"; readonly end: AttemptEnd }
  | { readonly is: "left" };

type StateName = AttemptState["is"];

const following: Readonly<Record<StateName, readonly StateName[]>> = {
  starting: ["starting", "running", "ending", "left"],
  running: ["stopping", "draining"],
  stopping: ["draining"],
  draining: ["ending"],
  ending: ["ended"],
  ended: ["ended", "forgotten"],
  forgotten: [],
  left: [],
};

/** The state after `from`; what cannot follow it is refused, whoever asks. */
export function follow(from: AttemptState, to: AttemptState): AttemptState {
  if (!following[from.is].includes(to.is)) throw new Error(`an attempt that is ${from.is} cannot be ${to.is} next`);
  return to;
}
