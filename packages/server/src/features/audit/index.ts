export { auditMarksMigration, beginAuditMarks } from "./begin-marks.ts";
export { openAudit } from "./open.ts";
export type { Audit, AuditEntry } from "./record.ts";
