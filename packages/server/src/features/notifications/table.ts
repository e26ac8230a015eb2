import {
  channelKinds,
  deliveryStates,
  type NotificationRedelivery,
  notificationScopes,
  webhookEvents,
} from "@belfry/contract";
import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const channels = sqliteTable("notification_channels", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull(),
  kind: text("kind", { enum: channelKinds }).notNull(),
  endpointSummary: text("endpoint_summary").notNull(),
  endpointSealed: blob("endpoint_sealed", { mode: "buffer" }).notNull(),
  authorizationSealed: blob("authorization_sealed", { mode: "buffer" }),
  signingSecretSealed: blob("signing_secret_sealed", { mode: "buffer" }),
  enabled: integer("enabled", { mode: "boolean" }).notNull(),
  failingSince: integer("failing_since"),
  consecutiveFailures: integer("consecutive_failures").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});
export type ChannelRow = typeof channels.$inferSelect;

export const formerSecrets = sqliteTable("notification_former_secrets", {
  number: integer("number").primaryKey(),
  channelId: text("channel_id").notNull(),
  secretSealed: blob("secret_sealed", { mode: "buffer" }).notNull(),
  until: integer("until").notNull(),
});
export type FormerSecretRow = typeof formerSecrets.$inferSelect;

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

export const deliveries = sqliteTable("notification_deliveries", {
  id: text("id").primaryKey(),
  channelId: text("channel_id").notNull(),
  channelName: text("channel_name").notNull(),
  endpointSummary: text("endpoint_summary").notNull(),
  event: text("event", { enum: webhookEvents }).notNull(),
  taskId: text("task_id"),
  runId: text("run_id"),
  state: text("state", { enum: deliveryStates }).notNull(),
  attemptCount: integer("attempt_count").notNull(),
  lastStatus: integer("last_status"),
  diagnostic: text("diagnostic"),
  payload: text("payload").notNull(),
  targetSealed: blob("target_sealed", { mode: "buffer" }),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  nextAttemptAt: integer("next_attempt_at"),
  claimedAt: integer("claimed_at"),
  endedAt: integer("ended_at"),
  endedNumber: integer("ended_number"),
  redeliveryOf: text("redelivery_of"),
});
export type DeliveryRow = typeof deliveries.$inferSelect;

export const redeliveries = sqliteTable("notification_redeliveries", {
  id: text("id").primaryKey(),
  result: text("result_json", { mode: "json" }).$type<NotificationRedelivery>().notNull(),
  createdAt: integer("created_at").notNull(),
});
