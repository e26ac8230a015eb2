import type { Mark } from "./claims/claim.ts";
import type { AttemptEnd, CancelCause, Report, StopCause } from "./protocol/messages.ts";
import type { ProcessId } from "./processes/processes.ts";
import type { Stop } from "./processes/stop-process-tree.ts";

/** The main process of an attempt, and its start time by the wall clock and by the monotonic clock. */
export interface RunningTask {
  readonly main: ProcessId;
  readonly mark: Mark | null;
  readonly cgroup: string | null;
  readonly at: number;
  readonly sinceMs: number;
}

/** The first cause counts. A later one can only shorten the grace. */
export interface Stopping {
  /** Null if the main process exited by itself, and what it left is being ended. */
  readonly cause: StopCause | null;
  readonly stop: Stop;
  /** The processes that did not end. */
  readonly remaining: Promise<readonly number[]>;
}

/** A cancel that came before the program was known to run. */
export interface EarlyCancel {
  readonly cause: CancelCause;
  readonly graceMs: number;
}

/**
 * One attempt, from its order until it is forgotten.
 *
 *   starting   The attempt is claimed and gets its pipes, and its program is started. After a cancel the program never starts;
 *              if it has just started, it is stopped.
 *   running    Output is kept, and the time limit runs. A cancel or the limit begins a stop.
 *   stopping   The cause is written to the claim, then signals are sent.
 *   draining   The main process has ended, or a stop has given up on it. A stop continues until no process of the attempt is
 *              left; for a task whose leftovers are killed, it begins here. The pipes are read to their end. No cause is
 *              set any more.
 *   ending     The end is being written.
 *   ended      The end was reported, written or not: a full disk does not block a run. An unwritten end is kept here, and
 *              the write is tried again.
 *   forgotten  The claim is removed, and the kept output is moved to its final folder.
 *   left       The attempt never ran here: it was refused (another runner claimed it) or returned (the system lacked a
 *              resource, or its folders were removed).
 */
export type AttemptState =
  | { readonly is: "starting"; readonly cancel: EarlyCancel | null }
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

/** Returns the state that follows `from`. Throws if `to` may not follow it. */
export function follow(from: AttemptState, to: AttemptState): AttemptState {
  if (!following[from.is].includes(to.is)) throw new Error(`an attempt that is ${from.is} cannot be ${to.is} next`);
  return to;
}

/** Returns the report of an attempt in this state; null while it is starting, and after it has left. */
export function reportOf(attempt: string, state: AttemptState): Report | null {
  switch (state.is) {
    case "starting":
    case "left":
      return null;
    case "running":
    case "stopping":
    case "draining":
      return { is: "started", attempt, pid: state.task.main.pid, at: state.task.at };
    case "ending": {
      const { pid, startedAt } = state.end;
      return pid === null || startedAt === null ? null : { is: "started", attempt, pid, at: startedAt };
    }
    case "ended":
    case "forgotten":
      return { is: "ended", attempt, end: state.end };
  }
}
