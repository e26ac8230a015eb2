import type { Db } from "../../kernel/storage/database.ts";
import { serveAudit } from "./operations.ts";
import { createAudit } from "./record.ts";
import { createAuditStore } from "./store.ts";

export interface AuditParts {
  readonly db: Db;
  /** The newest rows that stay; the contract's number unless given. */
  readonly auditKept?: number | undefined;
}

export function openAudit({ db, auditKept }: AuditParts) {
  const service = createAudit(createAuditStore(db), auditKept);
  return { service, operations: serveAudit(service) };
}
