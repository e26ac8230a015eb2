import type { NotificationChannel } from "@belfry/contract";
import { formatInstant, formatInstantOrNull } from "../../kernel/time/time.ts";
import type { ChannelRow } from "./table.ts";

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
