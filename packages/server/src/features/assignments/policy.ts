import type { RunOutcome } from "@belfry/contract";

/** One assignment as far as the policy looks at it. */
export interface Wish {
  readonly channelId: string;
  readonly onSuccess: boolean;
  readonly onFailure: boolean;
}

/**
 * Which scope supplies the policy (contract: Notification policy precedence): the first with assignments, given the task and
 * then the groups around it, nearest first. It supplies all of it: nothing is added from farther away, whether its channels
 * are enabled or not.
 */
export function selectScope<T extends { readonly assignments: readonly Wish[] }>(nearestFirst: Iterable<T>): T | null {
  for (const scope of nearestFirst) if (scope.assignments.length > 0) return scope;
  return null;
}

/** Whether the assignment includes this outcome. */
export function isWanted(wish: Wish, outcome: RunOutcome): boolean {
  return outcome === "success" ? wish.onSuccess : wish.onFailure;
}
