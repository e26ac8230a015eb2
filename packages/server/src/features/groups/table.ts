import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { membersOf } from "../../kernel/storage/change.ts";

export const groups = sqliteTable("groups", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull(),
  parentId: text("parent_id"),
  enabled: integer("enabled", { mode: "boolean" }).notNull(),
  maxConcurrentRuns: integer("max_concurrent_runs"),
  timeZone: text("time_zone"),
  environmentNames: text("environment_names_json", { mode: "json" }).$type<readonly string[]>().notNull(),
  environmentSealed: blob("environment_sealed", { mode: "buffer" }),
  description: text("description"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});

export const groupMembers = membersOf({ environmentNames: "environment", environmentSealed: "environment" });

export type GroupRow = typeof groups.$inferSelect;
