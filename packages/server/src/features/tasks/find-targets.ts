import type { ReadinessReason } from "@belfry/contract";
import type { Tasks } from "./service.ts";

/** The current state of the task that a trigger or a watcher starts. */
export interface Target {
  /** Null if the task was deleted. */
  readonly name: string | null;
  readonly reason: ReadinessReason;
}

export type FindTarget = (taskId: string) => Target;

/** Finds the tasks of triggers or watchers for one answer. A list of thousands has few tasks, and each is read once. */
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
