import type { NotificationDelivery, WebhookPayload } from "@belfry/contract";
import { formatInstant, formatInstantOrNull } from "../../kernel/time/time.ts";
import type { DeliveryRow } from "./table.ts";

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
    // safe because payload.ts wrote it
    payload: JSON.parse(row.payload) as WebhookPayload,
  };
}
