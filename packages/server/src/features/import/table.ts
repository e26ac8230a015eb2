import type { ImportResult } from "@belfry/contract";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const imports = sqliteTable("imports", {
  id: text("id").primaryKey(),
  result: text("result_json", { mode: "json" }).$type<ImportResult>().notNull(),
  createdAt: integer("created_at").notNull(),
});
