import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { membersOf } from "../../kernel/storage/change.ts";

export const triggers = sqliteTable("triggers", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull(),
  setId: text("set_id"),
  setPosition: integer("set_position"),
  targetTaskId: text("target_task_id").notNull(),
  /** The last known name, for a deleted task. */
  targetTaskName: text("target_task_name").notNull(),
  enabled: integer("enabled", { mode: "boolean" }).notNull(),
  keyPrefix: text("key_prefix").notNull(),
  /** The SHA-256 of the key, by which a fire finds its trigger. */
  keyHash: blob("key_hash", { mode: "buffer" }).notNull(),
  keySealed: blob("key_sealed", { mode: "buffer" }).notNull(),
  /** Counts rotations: 1 is the original key. */
  keyNumber: integer("key_number").notNull(),
  lastFiredAt: integer("last_fired_at"),
  fireCount: integer("fire_count").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});
export const triggerMembers = membersOf({
  targetTaskName: "target_task_id",
  keyPrefix: "key",
  keyHash: "key",
  keySealed: "key",
  keyNumber: "key",
});

export type TriggerRow = typeof triggers.$inferSelect;
