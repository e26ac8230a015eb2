import type { EffectiveNotifications, NotificationAssignments } from "@belfry/contract";
import type { EffectiveScope, OwnAssignments } from "./service.ts";
import type { AssignmentRow } from "./table.ts";

export function viewAssignments({ assignments, revision }: OwnAssignments): NotificationAssignments {
  return { assignments: assignments.map(viewAssignment), revision };
}

export function viewEffective(policy: EffectiveScope | null): EffectiveNotifications {
  if (policy === null) return { source: null, assignments: [] };
  const { scope, id, name, assignments } = policy;
  return { source: { scope, id, name }, assignments: assignments.map(viewAssignment) };
}

function viewAssignment(row: AssignmentRow) {
  return { channel_id: row.channelId, on_success: row.onSuccess, on_failure: row.onFailure };
}
