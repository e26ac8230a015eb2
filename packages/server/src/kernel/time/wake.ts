import { soon } from "./clock.ts";

/** Runs the work once in a later turn of the event loop, however often it is woken before. */
export function createWake(
  work: () => void,
  later: (work: () => void) => void = soon,
): { readonly wake: () => void; readonly stop: () => void } {
  let isScheduled = false;
  let isStopped = false;
  return {
    wake: () => {
      if (isScheduled || isStopped) return;
      isScheduled = true;
      later(() => {
        isScheduled = false;
        if (!isStopped) work();
      });
    },
    stop: () => {
      isStopped = true;
    },
  };
}
