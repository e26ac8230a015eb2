import type { NotificationScope } from "@belfry/contract";

export interface AssignmentFact {
  readonly name: "assignments.replaced";
  readonly scope: NotificationScope;
  readonly scopeId: string;
  readonly changed: readonly string[];
}
