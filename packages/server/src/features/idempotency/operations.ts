import type { idempotencyOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { formatInstant } from "../../kernel/time/time.ts";
import type { Idempotency } from "./service.ts";

export function serveIdempotency(idempotency: Idempotency): OperationsOf<typeof idempotencyOperations> {
  return {
    "idempotency.get": {
      handle: ({ params, actor, now }) => {
        const row = idempotency.lookUp(actor.id, params.key, now);
        if (row === undefined) return { used: false, operation: null, resource_id: null, at: null };
        return { used: true, operation: row.operation, resource_id: row.resourceId, at: formatInstant(row.at) };
      },
    },
  };
}
