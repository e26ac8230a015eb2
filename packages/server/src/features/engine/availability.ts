/** Whether a run can start now: a runner is connected, and the daemon is not stopping. */
export interface Availability {
  readonly isAvailable: () => boolean;
  readonly setRunner: (isConnected: boolean) => void;
  /** For good. */
  readonly stop: () => void;
}

/** Opened before the engine, because tasks, a lower layer, report whether they can start. */
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
