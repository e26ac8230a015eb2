import { holdCauses } from "@belfry/contract";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const holds = sqliteTable("holds", {
  id: text("id").primaryKey(),
  /** Null: all tasks are held. */
  groupId: text("group_id"),
  cause: text("cause", { enum: holdCauses }).notNull(),
  reason: text("reason"),
  untilAt: integer("until_at"),
  /** Whether the work of the former machine was ended. True for a hold that a caller requested. */
  isSettled: integer("is_settled", { mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export type HoldRow = typeof holds.$inferSelect;
