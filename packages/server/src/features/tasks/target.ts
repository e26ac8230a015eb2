import type { ReadinessReason } from "@belfry/contract";
import type { TaskRow } from "./table.ts";

/** Conditions that modules above this one report. */
export interface Surroundings {
  readonly isGroupBlocked: boolean;
  /** Someone holds the task, its group or all tasks. */
  readonly isHeld: boolean;
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
  if (surroundings.isHeld) return "held";
  if (!surroundings.isDispatchAvailable) return "dispatch_unavailable";
  return "ready";
}

/** The obstacle as a clause. */
export const readinessText: Readonly<Record<Exclude<ReadinessReason, "ready">, string>> = {
  target_missing: "the task no longer exists",
  command_incomplete: "the task has no command yet",
  task_inactive: "the task is a draft or archived",
  task_disabled: "the task is disabled",
  group_blocked: "a group that contains the task is disabled",
  held: "the task is held",
  dispatch_unavailable: "either the daemon is stopping, its runner does not respond, or the task's queue is full",
};

const remedies: typeof readinessText = {
  target_missing: "choose another task",
  command_incomplete: "set the task's command first",
  task_inactive: "set the command of a draft, or restore an archived task",
  task_disabled: "enable the task first",
  group_blocked: "enable the group first",
  held: "release the hold first, or wait for its end if it has one",
  dispatch_unavailable: "try again later",
};

/** Describes the obstacle and how to remove it, for an error. */
export function explainObstacle(reason: keyof typeof readinessText): string {
  return `${readinessText[reason]}: ${remedies[reason]}`;
}
