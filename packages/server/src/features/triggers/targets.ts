import type { ReadinessReason } from "@belfry/contract";
import type { Tasks } from "../tasks/index.ts";

/** The task a trigger starts, as it is now. */
export interface Target {
  /** Null once the task is gone. */
  readonly name: string | null;
  readonly reason: ReadinessReason;
}

export type FindTarget = (taskId: string) => Target;

/** For one answer: a list of thousands of triggers has few tasks, and each is looked at once. */
export function findTargets(tasks: Tasks): FindTarget {
  const known = new Map<string, Target>();
  return (taskId) => {
    const former = known.get(taskId);
    if (former !== undefined) return former;
    const task = tasks.find(taskId);
    const target = { name: task?.name ?? null, reason: tasks.readiness(task) };
    known.set(taskId, target);
    return target;
  };
}
