import type { auditOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import { readSpan } from "../../kernel/time/span.ts";
import type { Audit } from "./record.ts";
import { viewAuditEvent } from "./view.ts";

export function serveAudit(audit: Audit): OperationsOf<typeof auditOperations> {
  return {
    "audit.list": {
      handle: ({ query }) => {
        const filters = {
          actorId: query.actor_id,
          operation: query.operation,
          result: query.result,
          ...readSpan(query),
        };
        const { rows, next_cursor } = readList({
          operation: "audit.list",
          query,
          find: (page) => audit.list(filters, page),
          startOf: (row) => ({ at: row.at, id: String(row.number) }),
        });
        return { audit_events: rows.map(viewAuditEvent), next_cursor };
      },
    },
  };
}
