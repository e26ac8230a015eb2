import type {
  EffectiveNotifications,
  NotificationAssignments,
  NotificationChannel,
  NotificationDelivery,
  WebhookPayload,
} from "@belfry/contract";
import { formatInstant, formatInstantOrNull } from "../../kernel/time.ts";
import type { EffectiveScope, OwnAssignments } from "./assignments.ts";
import type { AssignmentRow, ChannelRow, DeliveryRow } from "./table.ts";

export function viewChannel(row: ChannelRow): NotificationChannel {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    endpoint_summary: row.endpointSummary,
    has_authorization: row.authorizationSealed !== null,
    has_signing_secret: row.signingSecretSealed !== null,
    enabled: row.enabled,
    failing_since: formatInstantOrNull(row.failingSince),
    consecutive_failures: row.consecutiveFailures,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
    revision: row.revision,
  };
}

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

export function viewDelivery(row: DeliveryRow): NotificationDelivery {
  return {
    id: row.id,
    channel_id: row.channelId,
    channel_name: row.channelName,
    endpoint_summary: row.endpointSummary,
    event: row.event,
    task_id: row.taskId,
    run_id: row.runId,
    state: row.state,
    attempt_count: row.attemptCount,
    last_status: row.lastStatus,
    diagnostic: row.diagnostic,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
    next_attempt_at: formatInstantOrNull(row.nextAttemptAt),
    claimed_at: formatInstantOrNull(row.claimedAt),
    ended_at: formatInstantOrNull(row.endedAt),
    redelivery_of: row.redeliveryOf,
    // our own words, written by payload.ts
    payload: JSON.parse(row.payload) as WebhookPayload,
  };
}
