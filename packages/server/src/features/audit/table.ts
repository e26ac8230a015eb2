import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const auditEvents = sqliteTable("audit_events", {
  number: integer("number").primaryKey({ autoIncrement: true }),
  id: text("id").notNull(),
  at: integer("at").notNull(),
  actorId: text("actor_id").notNull(),
  actorName: text("actor_name").notNull(),
  transport: text("transport", { enum: ["local", "remote"] }).notNull(),
  operation: text("operation").notNull(),
  resourceType: text("resource_type").notNull(),
  resourceId: text("resource_id"),
  result: text("result", { enum: ["allowed", "denied", "failed"] }).notNull(),
  errorCode: text("error_code"),
  requestId: text("request_id").notNull(),
  changedFields: text("changed_fields_json", { mode: "json" }).$type<readonly string[]>().notNull(),
  previousHash: text("previous_hash"),
  hash: text("hash").notNull(),
});
export type AuditRow = typeof auditEvents.$inferSelect;

export const auditAnchor = sqliteTable("audit_anchor", {
  id: integer("id").primaryKey(),
  number: integer("number").notNull(),
  hash: text("hash").notNull(),
  mac: blob("mac", { mode: "buffer" }).notNull(),
});

/** The newest row as this program wrote it; `number` is 0 before the first row. */
export const auditHead = sqliteTable("audit_head", {
  id: integer("id").primaryKey(),
  number: integer("number").notNull(),
  hash: text("hash"),
  authenticatedSince: integer("authenticated_since").notNull(),
  tamperedAt: integer("tampered_at"),
  mac: blob("mac", { mode: "buffer" }).notNull(),
});
