import { fixedFraction } from "../../kernel/random.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createClockSetWatch } from "../../kernel/time/clock-set-watch.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { Tasks } from "../tasks/index.ts";
import { retryDelayMs } from "./resolve-outcome.ts";
import type { RunStore } from "./store.ts";
import type { RunRow } from "./table.ts";

export interface PausesDeps {
  readonly clock: Clock;
  readonly store: RunStore;
  readonly tasks: Pick<Tasks, "find">;
}

export type Pauses = ReturnType<typeof createPauses>;

/**
 * The pause before a retry and the delay of a chain are lengths, but are stored as times. When the clock was set, these
 * times move with it. How far it was set while no daemon ran is unknown. Then a pause may begin anew, but it is never
 * longer than it was.
 */
export function createPauses({ clock, store, tasks }: PausesDeps) {
  const watch = createClockSetWatch(clock);
  let hasStarted = false;

  return {
    /** Moves the ends of the pauses. Call it in a write before a pause begins, and before runs start. */
    followClock: (unit: Unit): void => {
      const byMs = watch.look();
      if (byMs === 0 && hasStarted) return;
      if (byMs !== 0) unit.onUndo(watch.undo);
      // a pause that has ended before the clock was set back must not go on
      for (const run of store.listPausing(Math.min(unit.now, unit.now - byMs))) {
        const moved = run.notBefore + byMs;
        const notBefore = hasStarted ? moved : Math.min(moved, unit.now + lengthOf(run));
        if (notBefore !== run.notBefore) store.update(run, { notBefore });
      }
      if (hasStarted) return;
      hasStarted = true;
      unit.onUndo(() => (hasStarted = false));
    },
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
