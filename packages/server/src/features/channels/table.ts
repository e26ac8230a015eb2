import { channelKinds } from "@belfry/contract";
import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { membersOf } from "../../kernel/storage/change.ts";

export const channels = sqliteTable("notification_channels", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull(),
  kind: text("kind", { enum: channelKinds }).notNull(),
  endpointSummary: text("endpoint_summary").notNull(),
  endpointSealed: blob("endpoint_sealed", { mode: "buffer" }).notNull(),
  authorizationSealed: blob("authorization_sealed", { mode: "buffer" }),
  signingSecretSealed: blob("signing_secret_sealed", { mode: "buffer" }),
  enabled: integer("enabled", { mode: "boolean" }).notNull(),
  failingSince: integer("failing_since"),
  consecutiveFailures: integer("consecutive_failures").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});
export const channelMembers = membersOf({
  endpointSealed: "endpoint",
  endpointSummary: "endpoint",
  authorizationSealed: "authorization",
  signingSecretSealed: "signing_secret",
});

export type ChannelRow = typeof channels.$inferSelect;

export const formerSecrets = sqliteTable("notification_former_secrets", {
  number: integer("number").primaryKey(),
  channelId: text("channel_id").notNull(),
  secretSealed: blob("secret_sealed", { mode: "buffer" }).notNull(),
  until: integer("until").notNull(),
});
export type FormerSecretRow = typeof formerSecrets.$inferSelect;
