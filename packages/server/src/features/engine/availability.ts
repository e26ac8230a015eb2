/** Whether a run can start now: a runner is connected, and the daemon is not stopping. */
export interface Availability {
  readonly isAvailable: () => boolean;
  readonly setRunner: (isConnected: boolean) => void;
  /** Ends the availability for good. */
  readonly stop: () => void;
}

/** Opens before the engine, because the tasks module, which the engine imports, reports whether a task can start. */
export function openAvailability(): Availability {
  let hasRunner = false;
  let isStopping = false;
  return {
    isAvailable: () => hasRunner && !isStopping,
    setRunner: (isConnected) => {
      hasRunner = isConnected;
    },
    stop: () => {
      isStopping = true;
    },
  };
}
