import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const triggerSets = sqliteTable("trigger_sets", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull(),
  targetTaskId: text("target_task_id").notNull(),
  /** As last known: it counts once the task is gone. */
  targetTaskName: text("target_task_name").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});
export type TriggerSetRow = typeof triggerSets.$inferSelect;
