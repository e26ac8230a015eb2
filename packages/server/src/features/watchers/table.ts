import { watcherKinds, watcherOnStarts } from "@belfry/contract";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { membersOf } from "../../kernel/storage/change.ts";

export const watchers = sqliteTable("filesystem_watchers", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull(),
  kind: text("kind", { enum: watcherKinds }).notNull(),
  path: text("path").notNull(),
  /** Null for a file. */
  pattern: text("pattern"),
  recursive: integer("recursive", { mode: "boolean" }).notNull(),
  debounceMs: integer("debounce_ms").notNull(),
  stabilityMs: integer("stability_ms").notNull(),
  maxWaitMs: integer("max_wait_ms").notNull(),
  onStart: text("on_start", { enum: watcherOnStarts }).notNull(),
  targetTaskId: text("target_task_id").notNull(),
  /** The last known name, for a deleted task. */
  targetTaskName: text("target_task_name").notNull(),
  enabled: integer("enabled", { mode: "boolean" }).notNull(),
  /** Counts the observations: state kept of a former one is obsolete. */
  observation: integer("observation").notNull(),
  /** When the present observation was asked for: changes from then on count. */
  observedFrom: integer("observed_from").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});
export const watcherMembers = membersOf({ targetTaskName: "target_task_id" });

export type WatcherRow = typeof watchers.$inferSelect;
