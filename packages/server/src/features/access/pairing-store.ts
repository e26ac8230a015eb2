import { limits, type PairingState } from "@belfry/contract";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import {
  afterCursor,
  pageValues,
  perShape,
  preparedFind,
  preparedInsert,
  preparedRemove,
} from "../../kernel/storage/statements.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { type PairingRow, pairings } from "./table.ts";

export interface PairingFilters {
  readonly state?: PairingState | undefined;
  /** Decides which pairings have expired. */
  readonly now: Instant;
}

export type PairingStore = ReturnType<typeof createPairingStore>;

const { placeholder } = sql;
const isUnused = sql`${pairings.usedAt} IS NULL`;
const isValid = sql`+${pairings.expiresAt} > ${placeholder("now")}`;
const hasTries = sql`${pairings.tries} < ${sql.raw(String(limits.pairingTriesMax))}`;
const byId = eq(pairings.id, placeholder("id"));

export function createPairingStore(db: Db) {
  const ofState = {
    open: and(isUnused, hasTries, isValid),
    used: sql`${pairings.usedAt} IS NOT NULL`,
    burnt: and(isUnused, sql`NOT ${hasTries}`),
    expired: and(isUnused, hasTries, sql`NOT ${isValid}`),
  };
  const listing = (state: PairingState | undefined) =>
    perShape((given) =>
      db
        .select()
        .from(pairings)
        .where(
          and(
            state === undefined ? undefined : ofState[state],
            given("afterId") ? afterCursor(pairings.createdAt, pairings.id) : undefined,
          ),
        )
        .orderBy(desc(pairings.createdAt), desc(pairings.id))
        .limit(placeholder("limit"))
        .prepare(),
    );
  const listings = {
    all: listing(undefined),
    open: listing("open"),
    used: listing("used"),
    burnt: listing("burnt"),
    expired: listing("expired"),
  };
  const reserving = db
    .select({ id: pairings.id })
    .from(pairings)
    .where(
      and(eq(pairings.nameKey, placeholder("nameKey")), sql`${pairings.actorId} IS NULL`, isUnused, hasTries, isValid),
    )
    .prepare();
  const ticket = db
    .update(pairings)
    .set({ tries: sql`${pairings.tries} + 1` })
    .where(and(byId, isUnused, hasTries, isValid))
    .prepare();
  const use = db
    .update(pairings)
    .set({ usedAt: sql`${placeholder("now")}`, actorId: sql`${placeholder("actorId")}` })
    .where(and(byId, isUnused, isValid))
    .prepare();
  const expiring = db
    .update(pairings)
    .set({ expiresAt: sql`${placeholder("now")}` })
    .where(and(isUnused, isValid))
    .prepare();
  const expiringOf = db
    .update(pairings)
    .set({ expiresAt: sql`${placeholder("now")}` })
    .where(and(eq(pairings.actorId, placeholder("actorId")), isUnused, isValid))
    .prepare();
  const former = db
    .delete(pairings)
    .where(sql`${pairings.expiresAt} <= ${placeholder("until")}`)
    .prepare();

  return {
    find: preparedFind(db, pairings),
    /** Finds the open pairing whose new actor will have this name. */
    findOpenByName: (nameKey: string, now: Instant): { readonly id: string } | undefined =>
      reserving.get({ nameKey, now }),
    list: ({ state, now }: PairingFilters, page: Page): readonly PairingRow[] => {
      const values = { ...pageValues(page), now };
      return listings[state ?? "all"](values).all(values);
    },
    /** Counts a try of an open pairing; returns whether there was one left. */
    takeTry: (id: string, now: Instant): boolean => ticket.run({ id, now }).changes === 1,
    /**
     * Marks a pairing as used; returns false if it was used, deleted or expired meanwhile. A try that was counted in time
     * stays valid, even if later ones used up the rest.
     */
    use: (id: string, actorId: string, now: Instant): boolean => use.run({ id, actorId, now }).changes === 1,
    /** Ends the unused pairings now. */
    expire: (now: Instant): void => void expiring.run({ now }),
    expireOf: (actorId: string, now: Instant): void => void expiringOf.run({ actorId, now }),
    removeExpiredUntil: (until: Instant): void => void former.run({ until }),
    insert: preparedInsert(db, pairings),
    remove: preparedRemove(db, pairings),
  };
}
