import type { AuditChain, AuditEvent } from "@belfry/contract";
import { formatInstant, formatInstantOrNull } from "../../kernel/time/time.ts";
import type { Head, Mark } from "./marks.ts";
import type { AuditRow } from "./table.ts";

export function viewAuditEvent(row: AuditRow): AuditEvent {
  return {
    id: row.id,
    at: formatInstant(row.at),
    actor_id: row.actorId,
    actor_name: row.actorName,
    transport: row.transport,
    operation: row.operation,
    resource_type: row.resourceType,
    resource_id: row.resourceId,
    result: row.result,
    error_code: row.errorCode,
    request_id: row.requestId,
    changed_fields: [...row.changedFields],
    previous_hash: row.previousHash,
    hash: row.hash,
  };
}

export function viewChain({ anchor, ...head }: Head & { readonly anchor: Mark | null }): AuditChain {
  const { number, hash } = head;
  return {
    head: hash === null ? null : { number, hash },
    anchor: anchor === null ? null : { number: anchor.number, hash: anchor.hash },
    authenticated_since: formatInstant(head.authenticatedSince),
    tampered_at: formatInstantOrNull(head.tamperedAt),
  };
}
