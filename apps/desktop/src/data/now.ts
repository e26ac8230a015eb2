import { knownUntil, useConnection } from "./connection.ts";
import { createStore, useStore } from "./store.ts";

const now = createStore(Date.now());
let readers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

const ticking = {
  ...now,
  // one timer serves all that shows a relative time, and none runs while nothing does
  subscribe: (listener: () => void) => {
    const leave = now.subscribe(listener);
    if (readers++ === 0) {
      now.set(Date.now());
      timer = setInterval(() => now.set(Date.now()), 1_000);
    }
    return () => {
      leave();
      if (--readers === 0) clearInterval(timer);
    };
  },
};

/** The time, which moves every second. */
export function useNow(): number {
  return useStore(ticking);
}

/** The time until which the daemon is known: it stands still while the daemon does not answer. */
export function useKnownNow(): number {
  return knownUntil(useConnection(), useNow());
}
