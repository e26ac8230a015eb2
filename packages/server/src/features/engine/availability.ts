/** Whether a run can start now: a runner responds, and the daemon is not stopping. */
export interface Availability {
  readonly isAvailable: () => boolean;
  readonly setRunner: (isConnected: boolean) => void;
  /** Whether this attempt waits for a runner that does not respond. */
  readonly isDelayed: (attemptId: string) => boolean;
  readonly setDelays: (isDelayed: Availability["isDelayed"]) => void;
  /** Ends the availability for good. */
  readonly stop: () => void;
}

/** Opens before the engine, because the tasks module, which the engine imports, reports whether a task can start. */
export function openAvailability(): Availability {
  let hasRunner = false;
  let isStopping = false;
  let isDelayed: Availability["isDelayed"] = () => false;
  return {
    isAvailable: () => hasRunner && !isStopping,
    setRunner: (isConnected) => {
      hasRunner = isConnected;
    },
    isDelayed: (attemptId) => isDelayed(attemptId),
    setDelays: (ask) => {
      isDelayed = ask;
    },
    stop: () => {
      isStopping = true;
    },
  };
}
