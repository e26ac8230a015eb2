import { actorKinds, capabilities, credentialKinds } from "@belfry/contract";
import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { membersOf } from "../../kernel/storage/change.ts";

export const actors = sqliteTable("actors", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull(),
  kind: text("kind", { enum: actorKinds }).notNull(),
  capability: text("capability", { enum: capabilities }).notNull(),
  /** Whether the actor has expired is not stored: it follows from `expiresAt`. */
  state: text("state", { enum: ["active", "disabled", "revoked"] }).notNull(),
  builtIn: integer("built_in", { mode: "boolean" }).notNull(),
  expiresAt: integer("expires_at"),
  /** Written once a minute; the newest value may be in memory. */
  lastSeenAt: integer("last_seen_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});
export const actorMembers = membersOf({});

export type ActorRow = typeof actors.$inferSelect;

export const credentials = sqliteTable("credentials", {
  id: text("id").primaryKey(),
  actorId: text("actor_id").notNull(),
  displayName: text("display_name").notNull(),
  kind: text("kind", { enum: credentialKinds }).notNull(),
  /** The most that the credential may do, if its client asked for less than its actor may do. */
  capability: text("capability", { enum: capabilities }),
  /** The part of the token by which its row is found. */
  publicPart: text("public_part").notNull(),
  salt: blob("salt", { mode: "buffer" }).notNull(),
  tokenHash: blob("token_hash", { mode: "buffer" }).notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
  revokedAt: integer("revoked_at"),
});

export type CredentialRow = typeof credentials.$inferSelect;

export const pairings = sqliteTable("pairings", {
  id: text("id").primaryKey(),
  /** Null until the pairing has created its own actor. */
  actorId: text("actor_id"),
  /** The name and the capability of the actor that the pairing creates. */
  name: text("name").notNull(),
  nameKey: text("name_key").notNull(),
  capability: text("capability", { enum: capabilities }).notNull(),
  kind: text("kind", { enum: credentialKinds }).notNull(),
  salt: blob("salt", { mode: "buffer" }).notNull(),
  phraseHash: blob("phrase_hash", { mode: "buffer" }).notNull(),
  tries: integer("tries").notNull(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  usedAt: integer("used_at"),
});

export type PairingRow = typeof pairings.$inferSelect;
