import { and, desc, eq, gt, lt, lte, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import { preparedInsert } from "../../kernel/storage/statements.ts";
import { idempotencyKeys, type IdempotencyRow } from "./table.ts";

/**
 * The newest keys stay, whatever their age: if the clock is ahead for a moment, the keys of the last day must not go. A
 * stored key that is too old counts as free.
 */
const keptCount = 10_000;

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export function createIdempotencyStore(db: Db) {
  const { placeholder } = sql;
  const isThis = and(
    eq(idempotencyKeys.actorId, placeholder("actorId")),
    eq(idempotencyKeys.operation, placeholder("operation")),
    eq(idempotencyKeys.key, placeholder("key")),
  );
  const exact = db.select().from(idempotencyKeys).where(isThis).prepare();
  const removalOfThis = db.delete(idempotencyKeys).where(isThis).prepare();
  const latest = db
    .select()
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.actorId, placeholder("actorId")),
        eq(idempotencyKeys.key, placeholder("key")),
        gt(idempotencyKeys.at, placeholder("since")),
      ),
    )
    .orderBy(desc(idempotencyKeys.at))
    .limit(1)
    .prepare();
  const newest = db.select({ at: idempotencyKeys.at }).from(idempotencyKeys).orderBy(desc(idempotencyKeys.at));
  const removal = db
    .delete(idempotencyKeys)
    .where(
      and(lte(idempotencyKeys.at, placeholder("until")), lt(idempotencyKeys.at, newest.limit(1).offset(keptCount - 1))),
    )
    .prepare();

  return {
    find: (actorId: string, operation: string, key: string): IdempotencyRow | undefined =>
      exact.get({ actorId, operation, key }),
    findLatest: (use: { actorId: string; key: string; since: number }): IdempotencyRow | undefined => latest.get(use),
    insert: preparedInsert(db, idempotencyKeys),
    remove: ({ actorId, operation, key }: Pick<IdempotencyRow, "actorId" | "operation" | "key">): void =>
      void removalOfThis.run({ actorId, operation, key }),
    /** Removes old keys beyond the newest ones, which takes about a millisecond. */
    removeUntil: (until: number): void => void removal.run({ until }),
  };
}
