import type { TaskRow } from "../tasks/index.ts";
import type { Runners } from "./runners/runners.ts";

type Delays = Pick<Runners, "isSilentFor" | "findPause">;

/** Whether a run can start now: a runner responds, and the daemon is not stopping. */
export interface Availability {
  readonly isAvailable: () => boolean;
  readonly setRunner: (isConnected: boolean) => void;
  /** Whether this attempt waits for a runner that does not respond. */
  readonly isDelayed: (attemptId: string) => boolean;
  /** Returns the pause before the order to start this attempt is repeated; null if there is none. */
  readonly findPause: Delays["findPause"];
  readonly setDelays: (delays: Delays) => void;
  /** Whether the runner is of a former version that cannot start this task. */
  readonly isRunnerTooOld: (task: TaskRow) => boolean;
  readonly setRunnerLimits: (isRunnerTooOld: Availability["isRunnerTooOld"]) => void;
  /** Ends the availability for good. */
  readonly stop: () => void;
}

/** Opens before the engine, because the tasks module, which the engine imports, reports whether a task can start. */
export function openAvailability(): Availability {
  let hasRunner = false;
  let isStopping = false;
  let delays: Delays = { isSilentFor: () => false, findPause: () => null };
  let isRunnerTooOld: Availability["isRunnerTooOld"] = () => false;
  return {
    isAvailable: () => hasRunner && !isStopping,
    setRunner: (isConnected) => {
      hasRunner = isConnected;
    },
    isDelayed: (attemptId) => delays.isSilentFor(attemptId),
    findPause: (attemptId) => delays.findPause(attemptId),
    setDelays: (given) => {
      delays = given;
    },
    isRunnerTooOld: (task) => isRunnerTooOld(task),
    setRunnerLimits: (ask) => {
      isRunnerTooOld = ask;
    },
    stop: () => {
      isStopping = true;
    },
  };
}
