import { holdCauses } from "@belfry/contract";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const holds = sqliteTable("holds", {
  id: text("id").primaryKey(),
  /** Null: all tasks are held. */
  groupId: text("group_id"),
  cause: text("cause", { enum: holdCauses }).notNull(),
  reason: text("reason"),
  untilAt: integer("until_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export type HoldRow = typeof holds.$inferSelect;
