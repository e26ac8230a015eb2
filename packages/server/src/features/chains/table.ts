import { chainOutcomes } from "@belfry/contract";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { membersOf } from "../../kernel/storage/change.ts";

export const chains = sqliteTable("chains", {
  id: text("id").primaryKey(),
  sourceTaskId: text("source_task_id").notNull(),
  targetTaskId: text("target_task_id").notNull(),
  onOutcome: text("on_outcome", { enum: chainOutcomes }).notNull(),
  enabled: integer("enabled", { mode: "boolean" }).notNull(),
  delayMs: integer("delay_ms").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});

export const chainMembers = membersOf({});

export type ChainRow = typeof chains.$inferSelect;
