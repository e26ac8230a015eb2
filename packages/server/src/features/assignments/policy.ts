import type { RunOutcome } from "@belfry/contract";

/** The members of an assignment that decide who is notified. */
export interface AssignedOutcomes {
  readonly channelId: string;
  readonly onSuccess: boolean;
  readonly onFailure: boolean;
}

/**
 * Selects the scope whose assignments apply (contract: Notification policy precedence). The scopes are the task and
 * then its groups, nearest first. The first scope with assignments supplies all of them, even if their channels are
 * disabled. Farther scopes add nothing.
 */
export function selectScope<T extends { readonly assignments: readonly AssignedOutcomes[] }>(
  nearestFirst: Iterable<T>,
): T | null {
  for (const scope of nearestFirst) if (scope.assignments.length > 0) return scope;
  return null;
}

/** Whether the assignment includes this outcome. */
export function isWanted(assignment: AssignedOutcomes, outcome: RunOutcome): boolean {
  return outcome === "success" ? assignment.onSuccess : assignment.onFailure;
}
