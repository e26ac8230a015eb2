import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { membersOf } from "../../kernel/storage/change.ts";

export const triggerSets = sqliteTable("trigger_sets", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull(),
  targetTaskId: text("target_task_id").notNull(),
  /** The last known name, for a deleted task. */
  targetTaskName: text("target_task_name").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});
export const triggerSetMembers = membersOf({ targetTaskName: "target_task_id", keySealed: "keys" });

export type TriggerSetRow = typeof triggerSets.$inferSelect;
