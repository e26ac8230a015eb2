import type { Db } from "../../kernel/storage/database.ts";
import { serveAudit } from "./operations.ts";
import { createAudit } from "./record.ts";
import { createAuditStore } from "./store.ts";

export interface AuditParts {
  readonly db: Db;
  /** The number of newest rows to keep. Default: the contract's limit. */
  readonly auditKept?: number | undefined;
}

export function openAudit({ db, auditKept }: AuditParts) {
  const service = createAudit(createAuditStore(db), auditKept);
  return { service, operations: serveAudit(service) };
}
