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
 * A new run ends as many runs of its task as the limit requires for it to start: first those that have not started, which
 * are skipped, and then those that are active or between two attempts, which are cancelled; of both, the oldest first.
 * Runs that are being cancelled already are not counted, and runs of other tasks are never ended.
 *
 * The new run then waits in the queue like any other. It starts when the processes of the cancelled run have been
 * verified gone, because a run holds its slot until then.
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
  const replaceOlder = (unit: Unit<RunFact>, task: TaskRow, newId: string | null = null): void => {
    for (const run of listReplaced(task, newId)) lifecycle.replace(unit, run);
  };

  return {
    listReplaced: (task: TaskRow) => listReplaced(task),
    /** Whether a new run of the task replaces one that waits, so that the queue does not grow. */
    replacesQueued: (task: TaskRow): boolean =>
      task.onConflict === "replace" && listReplaced(task).some(({ state }) => state === "queued"),
    /** Replaces runs of the task before a new one is stored. */
    replaceOlder: (unit: Unit<RunFact>, task: TaskRow): void => replaceOlder(unit, task),
    /** Replaces runs of the task when a run for a later time is due. From then on that run waits like any other. */
    replaceForDue: (unit: Unit<RunFact>, task: TaskRow, run: RunRow): void => {
      replaceOlder(unit, task, run.id);
      store.update(run, { notBefore: 0 });
    },
  };
}
