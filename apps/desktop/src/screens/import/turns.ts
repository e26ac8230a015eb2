export type TakeTurn = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Begins at most so many works at once, in the order in which they are given. What is aborted while it waits never begins. */
export function createTurns(atOnceMax: number): TakeTurn {
  let begun = 0;
  const waiting = new Set<() => void>();
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(begin);
        reject(signal.reason as Error);
      };
      const begin = (): void => {
        signal.removeEventListener("abort", leave);
        waiting.delete(begin);
        begun += 1;
        resolve();
      };
      if (signal.aborted) return leave();
      if (begun < atOnceMax) return begin();
      signal.addEventListener("abort", leave);
      waiting.add(begin);
    });
  return async (work, signal) => {
    await turn(signal);
    try {
      return await work();
    } finally {
      begun -= 1;
      const [next] = waiting;
      next?.();
    }
  };
}
