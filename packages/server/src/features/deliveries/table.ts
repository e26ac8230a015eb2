import { deliveryStates, type NotificationRedelivery, webhookEvents } from "@belfry/contract";
import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
