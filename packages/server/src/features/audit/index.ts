export { createAuditHandlers } from "./handlers.ts";
export { type Audit, type AuditEntry, createAudit } from "./record.ts";
export { createAuditStore } from "./store.ts";
