import type { ChannelAssignment, EffectiveNotifications, NotificationAssignments } from "@belfry/contract";
import type { ChannelScope, EffectiveScope, OwnAssignments } from "./service.ts";
import type { AssignmentRow } from "./table.ts";

export function viewAssignments({ assignments, revision }: OwnAssignments): NotificationAssignments {
  return { assignments: assignments.map(viewAssignment), revision };
}

export function viewEffective(policy: EffectiveScope | null): EffectiveNotifications {
  if (policy === null) return { source: null, assignments: [] };
  const { scope, id, name, assignments } = policy;
  return { source: { scope, id, name }, assignments: assignments.map(viewAssignment) };
}

export function viewOfChannel({ kind, id, name, groupPath, onSuccess, onFailure }: ChannelScope): ChannelAssignment {
  return { scope: kind, id, name, group_path: groupPath, on_success: onSuccess, on_failure: onFailure };
}

function viewAssignment(row: AssignmentRow) {
  return { channel_id: row.channelId, on_success: row.onSuccess, on_failure: row.onFailure };
}
