import type { Unit } from "../../kernel/storage/write.ts";
import type { TaskRow, Tasks } from "../tasks/index.ts";
import type { RunFact } from "./facts.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { RunStore } from "./store.ts";
import type { RunRow } from "./table.ts";

export interface ReplacementDeps {
  readonly store: RunStore;
  readonly tasks: Tasks;
  readonly lifecycle: Lifecycle;
}

export type Replacement = ReturnType<typeof createReplacement>;

/*
 * How a new run replaces older ones of its task (`on_conflict: replace`). It is decided once for each new run: in the
 * write that requests it or, for a run for a later time, when it is due.
 *
 * If the limit has no place for the new run, a run of its task that has not started is skipped. If there is none, the
 * oldest run that is active or between two attempts is cancelled. The new run then waits in the queue like any other.
 * So it starts when the processes of the cancelled run have been verified gone, because a run holds its slot until then.
 * A run that is being cancelled already needs no replacement. Runs of other tasks are never replaced.
 */

export function createReplacement({ store, tasks, lifecycle }: ReplacementDeps) {
  /** Lists the runs that a new run of the task replaces now. */
  const listReplaced = (task: TaskRow, newId: string | null = null): readonly RunRow[] => {
    const own = store.listReplaceable(task.id).filter(({ id }) => id !== newId);
    const others = task.concurrencyKey === null ? 0 : store.countOthersInPool(task);
    const excess = own.length + others + 1 - tasks.poolOf(task).max;
    const isUnstarted = ({ state, attempt }: RunRow): boolean => state === "queued" && attempt === 0;
    const inOrder = [...own.filter(isUnstarted), ...own.filter((run) => !isUnstarted(run))];
    return inOrder.slice(0, Math.max(0, excess));
  };
  const makeWay = (unit: Unit<RunFact>, task: TaskRow, newId: string | null = null): void => {
    for (const run of listReplaced(task, newId)) lifecycle.replace(unit, run);
  };

  return {
    listReplaced: (task: TaskRow) => listReplaced(task),
    /** Replaces runs of the task before a new one is stored. */
    makeWay: (unit: Unit<RunFact>, task: TaskRow): void => makeWay(unit, task),
    /** Replaces runs of the task when a run for a later time is due. From then on that run waits like any other. */
    makeWayForDue: (unit: Unit<RunFact>, task: TaskRow, run: RunRow): void => {
      makeWay(unit, task, run.id);
      store.update(run.id, { notBefore: 0 });
    },
  };
}
