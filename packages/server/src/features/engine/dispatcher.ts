import type { Unit } from "../../kernel/write.ts";
import type { Lifecycle, RunFact, RunRow, RunStore } from "../runs/index.ts";
import type { TaskRow, Tasks } from "../tasks/index.ts";
import { createSlots, type Limits } from "./slots.ts";

export interface DispatcherDeps {
  readonly store: RunStore;
  readonly tasks: Tasks;
  readonly lifecycle: Lifecycle;
  readonly runsAtOnceMax: number;
  readonly bootId: string;
}

/** One run with the attempt it was just given. */
export interface Dispatched {
  readonly run: RunRow;
  readonly task: TaskRow;
  readonly attemptId: string;
}

const pageSize = 100;

/**
 * Gives waiting runs their attempts, by priority and then by age, as far as the limits allow. Who holds a slot is read
 * from the rows each time, so that no count can drift from the truth. A task or group that is full does not hold others up.
 */
export function createDispatcher({ store, tasks, lifecycle, runsAtOnceMax, bootId }: DispatcherDeps) {
  const limitsOf = (task: TaskRow): Limits => ({ taskId: task.id, taskMax: task.concurrencyLimit, groups: tasks.groupLimitsOf(task) });

  return (unit: Unit<RunFact>): readonly Dispatched[] => {
    const slots = createSlots(runsAtOnceMax);
    for (const { taskId } of store.listLive()) {
      const task = tasks.find(taskId);
      if (task !== undefined) slots.take(limitsOf(task));
    }
    const dispatched: Dispatched[] = [];
    const full = new Set<string>();
    for (let after: RunRow | null = null; !slots.isFull; ) {
      const waiting = store.listWaiting({ now: unit.now, full: [...full], limit: pageSize, after });
      for (const run of waiting) {
        if (full.has(run.taskId)) continue;
        const taken = consider(unit, run, slots);
        if (taken === "all") return dispatched;
        if (taken === "full") full.add(run.taskId);
        else if (taken !== null) dispatched.push(taken);
      }
      if (waiting.length < pageSize) break;
      after = waiting.at(-1)!;
    }
    return dispatched;
  };

  function consider(unit: Unit<RunFact>, run: RunRow, slots: ReturnType<typeof createSlots>): Dispatched | "all" | "full" | null {
    const task = tasks.find(run.taskId);
    const obstacle = task === undefined ? "target_missing" : tasks.obstacleOf(task);
    if (task === undefined || obstacle !== "ready") {
      lifecycle.giveUp(unit, run, obstacle === "ready" ? "target_missing" : obstacle);
      return null;
    }
    const limits = limitsOf(task);
    const refusal = slots.refusal(limits);
    if (refusal !== null) return refusal === "all" ? "all" : "full";
    slots.take(limits);
    const attempt = lifecycle.dispatch(unit, run, bootId);
    return { run: { ...run, attempt: attempt.number }, task, attemptId: attempt.id };
  }
}
