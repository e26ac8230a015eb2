import type { auditOperations, AuditQuery } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import { readSpan } from "../../kernel/time/span.ts";
import type { Audit } from "./record.ts";
import { viewAuditEvent, viewChain } from "./view.ts";

export function serveAudit(audit: Audit): OperationsOf<typeof auditOperations> {
  return {
    "audit.list": {
      handle: ({ query }) => {
        const { rows, next_cursor } = readPage("audit.list", query);
        return { audit_events: rows.map(viewAuditEvent), next_cursor };
      },
    },
    "audit.export": {
      handle: ({ query }) => {
        const { rows, next_cursor: nextCursor } = readPage("audit.export", query);
        return { lines: rows.map(viewAuditEvent), nextCursor };
      },
    },
    "audit.chain": { handle: () => viewChain(audit.chain()) },
  };

  function readPage(operation: string, query: AuditQuery) {
    const filters = {
      actorId: query.actor_id,
      operation: query.operation,
      resourceId: query.resource_id,
      result: query.result,
      ...readSpan(query),
    };
    return readList({
      operation,
      query,
      find: (page) => audit.list(filters, page),
      startOf: (row) => ({ at: row.at, id: String(row.number) }),
    });
  }
}
