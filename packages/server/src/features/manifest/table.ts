import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { membersOf } from "../../kernel/storage/change.ts";

export const manifest = sqliteTable("manifest", {
  id: integer("id").primaryKey(),
  installationId: text("installation_id").notNull(),
  displayName: text("display_name").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});
export const manifestMembers = membersOf({});

export type ManifestRow = typeof manifest.$inferSelect;
