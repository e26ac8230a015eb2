import { notificationScopes } from "@belfry/contract";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const scopes = sqliteTable("notification_scopes", {
  id: text("id").primaryKey(),
  kind: text("kind", { enum: notificationScopes }).notNull(),
  revision: integer("revision").notNull(),
});
export type ScopeRow = typeof scopes.$inferSelect;

export const assignments = sqliteTable(
  "notification_assignments",
  {
    scopeId: text("scope_id").notNull(),
    channelId: text("channel_id").notNull(),
    position: integer("position").notNull(),
    onSuccess: integer("on_success", { mode: "boolean" }).notNull(),
    onFailure: integer("on_failure", { mode: "boolean" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.scopeId, table.channelId] })],
);
export type AssignmentRow = typeof assignments.$inferSelect;
