import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const actors = sqliteTable("actors", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  capability: text("capability", { enum: ["observe", "operate", "manage", "enroll"] }).notNull(),
  builtIn: integer("built_in", { mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
});
