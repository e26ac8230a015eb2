export const readinessReasons = [
  "ready",
  "target_missing",
  "command_incomplete",
  "task_inactive",
  "task_disabled",
  "group_blocked",
  "held",
  "dispatch_unavailable",
] as const;
/** Why something can or cannot start now: `ready`, or the first obstacle in this order. */
export type ReadinessReason = (typeof readinessReasons)[number];
