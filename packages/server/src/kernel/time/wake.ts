import { soon } from "./clock.ts";

/** Runs the work once in a later turn of the event loop, however often it is woken before. */
export function createWake(work: () => void): { readonly wake: () => void; readonly stop: () => void } {
  let isScheduled = false;
  let isStopped = false;
  return {
    wake: () => {
      if (isScheduled || isStopped) return;
      isScheduled = true;
      soon(() => {
        isScheduled = false;
        if (!isStopped) work();
      });
    },
    stop: () => {
      isStopped = true;
    },
  };
}
