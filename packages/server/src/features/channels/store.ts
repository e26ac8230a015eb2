import { and, desc, eq, lte, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import {
  afterCursor,
  pageValues,
  perShape,
  preparedFind,
  preparedInsert,
  preparedRemove,
  preparedUpdate,
} from "../../kernel/storage/statements.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { type ChannelRow, channels, type FormerSecretRow, formerSecrets } from "./table.ts";

const { placeholder } = sql;

export type ChannelStore = ReturnType<typeof createChannelStore>;

export function createChannelStore(db: Db) {
  const byName = db
    .select({ id: channels.id })
    .from(channels)
    .where(eq(channels.nameKey, placeholder("nameKey")))
    .prepare();
  const listing = perShape((given) =>
    db
      .select()
      .from(channels)
      .where(
        and(
          given("namePart") ? sql`instr(${channels.nameKey}, ${placeholder("namePart")}) > 0` : undefined,
          given("afterId") ? afterCursor(channels.createdAt, channels.id) : undefined,
        ),
      )
      .orderBy(desc(channels.createdAt), desc(channels.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  return {
    find: preparedFind(db, channels),
    findByName: (nameKey: string): { readonly id: string } | undefined => byName.get({ nameKey }),
    list: (filters: { readonly namePart?: string | undefined }, page: Page): readonly ChannelRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    insert: preparedInsert(db, channels),
    update: preparedUpdate(db, channels),
    remove: preparedRemove(db, channels),
  };
}

export type FormerSecretStore = ReturnType<typeof createFormerSecretStore>;

export function createFormerSecretStore(db: Db) {
  const ofChannel = db
    .select()
    .from(formerSecrets)
    .where(eq(formerSecrets.channelId, placeholder("channelId")))
    .orderBy(desc(formerSecrets.number))
    .prepare();
  const removal = db
    .delete(formerSecrets)
    .where(eq(formerSecrets.number, placeholder("number")))
    .prepare();
  const removalOfChannel = db
    .delete(formerSecrets)
    .where(eq(formerSecrets.channelId, placeholder("channelId")))
    .prepare();
  const removalUntil = db
    .delete(formerSecrets)
    .where(lte(formerSecrets.until, placeholder("now")))
    .prepare();
  return {
    /** Lists the former secrets of a channel, newest first. */
    listOf: (channelId: string): readonly FormerSecretRow[] => ofChannel.all({ channelId }),
    insert: preparedInsert(db, formerSecrets, "number"),
    remove: (number: number): void => void removal.run({ number }),
    removeOf: (channelId: string): void => void removalOfChannel.run({ channelId }),
    /** Removes the former secrets whose time is over; returns their number. */
    removeExpired: (now: Instant): number => removalUntil.run({ now }).changes,
  };
}
