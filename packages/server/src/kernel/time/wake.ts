import { soon } from "./clock.ts";

/** A nudge that coalesces: however often it is given before the work begins, the work is done once. */
export function createWake(work: () => void): { readonly wake: () => void; readonly stop: () => void } {
  let scheduled = false;
  let stopped = false;
  return {
    wake: () => {
      if (scheduled || stopped) return;
      scheduled = true;
      soon(() => {
        scheduled = false;
        if (!stopped) work();
      });
    },
    stop: () => {
      stopped = true;
    },
  };
}
