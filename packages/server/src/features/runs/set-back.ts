import { fixedFraction } from "../../kernel/random.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { Tasks } from "../tasks/index.ts";
import { retryDelayMs } from "./resolve-outcome.ts";
import type { RunStore } from "./store.ts";
import type { RunRow } from "./table.ts";

export interface SetBackDeps {
  readonly store: RunStore;
  readonly tasks: Pick<Tasks, "find">;
}

/**
 * Moves the ends of pauses after the clock was set back. The pause before a retry and the delay of a chain are lengths, so
 * a run must not wait for the former time. `byMs` is how far the clock was set back; null if nobody measured it, because
 * no daemon ran. Then a pause may begin anew, but it is never longer than it was.
 */
export function createSetBack({ store, tasks }: SetBackDeps) {
  return (unit: Unit, { byMs }: { readonly byMs: number | null }): void => {
    for (const run of store.listPausing(unit.now)) {
      const leftMs = Math.min(run.notBefore - unit.now - (byMs ?? 0), lengthOf(run));
      const notBefore = unit.now + Math.max(0, leftMs);
      if (notBefore < run.notBefore) store.update(run.id, { notBefore });
    }
  };

  function lengthOf(run: RunRow): number {
    if (run.attempt > 0) {
      const task = tasks.find(run.taskId);
      return task === undefined
        ? Infinity
        : retryDelayMs(task.retry, run.attempt, fixedFraction(run.id, String(run.attempt)));
    }
    // a delay that was moved already says no more about its length
    const lengthMs = run.notBefore - run.queuedAt;
    return lengthMs > 0 ? lengthMs : Infinity;
  }
}
