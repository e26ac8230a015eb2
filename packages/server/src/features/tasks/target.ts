import type { ReadinessReason } from "@belfry/contract";
import type { TaskRow } from "./table.ts";

/** Conditions that modules above this one report. */
export interface Surroundings {
  readonly isGroupBlocked: boolean;
  /** A runner responds, the daemon is not stopping, and the task's queue is not full. */
  readonly isDispatchAvailable: boolean;
}

/** Whether a task can start now: `ready`, or the first obstacle in the documented order. Only this function decides it. */
export function readinessOf(task: TaskRow | undefined, surroundings: Surroundings): ReadinessReason {
  if (task === undefined) return "target_missing";
  if (task.command === null) return "command_incomplete";
  if (task.lifecycle !== "active") return "task_inactive";
  if (!task.enabled) return "task_disabled";
  if (surroundings.isGroupBlocked) return "group_blocked";
  if (!surroundings.isDispatchAvailable) return "dispatch_unavailable";
  return "ready";
}

/** The obstacle as a clause, for errors and for the history. */
export const readinessText: Readonly<Record<Exclude<ReadinessReason, "ready">, string>> = {
  target_missing: "the task no longer exists",
  command_incomplete: "the task has no command yet",
  task_inactive: "the task is not active: it is a draft or archived",
  task_disabled: "the task is disabled",
  group_blocked: "a group that contains the task is disabled",
  dispatch_unavailable:
    "no run can start now: the daemon is stopping, its runner does not respond, or the task's queue is full",
};
