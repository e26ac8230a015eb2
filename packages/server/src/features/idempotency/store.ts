import { and, desc, eq, gt, lte, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import { preparedInsert } from "../../kernel/storage/statements.ts";
import { idempotencyKeys, type IdempotencyRow } from "./table.ts";

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export function createIdempotencyStore(db: Db) {
  const { placeholder } = sql;
  const exact = db
    .select()
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.actorId, placeholder("actorId")),
        eq(idempotencyKeys.operation, placeholder("operation")),
        eq(idempotencyKeys.key, placeholder("key")),
      ),
    )
    .prepare();
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
  const removal = db
    .delete(idempotencyKeys)
    .where(lte(idempotencyKeys.at, placeholder("until")))
    .prepare();

  return {
    find: (actorId: string, operation: string, key: string): IdempotencyRow | undefined =>
      exact.get({ actorId, operation, key }),
    findLatest: (use: { actorId: string; key: string; since: number }): IdempotencyRow | undefined => latest.get(use),
    insert: preparedInsert(db, idempotencyKeys),
    removeUntil: (until: number): void => void removal.run({ until }),
  };
}
