import { and, asc, count, desc, eq, gte, lt, lte, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import { afterCursor, pageValues, perShape, preparedInsert } from "../../kernel/storage/statements.ts";
import { auditAnchor, auditEvents, auditHead, type AuditRow } from "./table.ts";

export interface AuditFilters {
  readonly actorId?: string | undefined;
  readonly operation?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly result?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(db: Db) {
  const { placeholder } = sql;
  const newest = db
    .select({ number: auditEvents.number, hash: auditEvents.hash })
    .from(auditEvents)
    .orderBy(desc(auditEvents.number))
    .limit(1)
    .prepare();
  const oldest = db
    .select({ number: auditEvents.number, previousHash: auditEvents.previousHash })
    .from(auditEvents)
    .orderBy(asc(auditEvents.number))
    .limit(1)
    .prepare();
  const rowCount = db.select({ rows: count() }).from(auditEvents).prepare();
  const head = db.select().from(auditHead).prepare();
  const anchor = db.select().from(auditAnchor).prepare();
  const byNumber = db
    .select({ number: auditEvents.number, hash: auditEvents.hash })
    .from(auditEvents)
    .where(lte(auditEvents.number, placeholder("number")))
    .orderBy(desc(auditEvents.number))
    .limit(1)
    .prepare();
  const hash = db
    .select({ hash: auditEvents.hash })
    .from(auditEvents)
    .where(eq(auditEvents.number, placeholder("number")))
    .prepare();
  const removal = db
    .delete(auditEvents)
    .where(lte(auditEvents.number, placeholder("number")))
    .prepare();
  const listing = perShape((given) =>
    db
      .select()
      .from(auditEvents)
      .where(
        and(
          given("actorId") ? eq(auditEvents.actorId, placeholder("actorId")) : undefined,
          given("operation") ? eq(auditEvents.operation, placeholder("operation")) : undefined,
          given("resourceId") ? eq(auditEvents.resourceId, placeholder("resourceId")) : undefined,
          given("result") ? eq(auditEvents.result, placeholder("result")) : undefined,
          given("since") ? gte(auditEvents.at, placeholder("since")) : undefined,
          given("until") ? lt(auditEvents.at, placeholder("until")) : undefined,
          given("afterId") ? afterCursor(auditEvents.at, auditEvents.number) : undefined,
        ),
      )
      .orderBy(desc(auditEvents.at), desc(auditEvents.number))
      .limit(placeholder("limit"))
      .prepare(),
  );

  const headWrite = db
    .insert(auditHead)
    .values({
      id: 1,
      number: placeholder("number"),
      hash: placeholder("hash"),
      authenticatedSince: placeholder("authenticatedSince"),
      tamperedAt: placeholder("tamperedAt"),
      mac: placeholder("mac"),
    })
    .onConflictDoUpdate({
      target: auditHead.id,
      set: {
        number: sql`excluded.number`,
        hash: sql`excluded.hash`,
        authenticatedSince: sql`excluded.authenticated_since`,
        tamperedAt: sql`excluded.tampered_at`,
        mac: sql`excluded.mac`,
      },
    })
    .prepare();

  return {
    findNewest: () => newest.get(),
    findOldest: () => oldest.get(),
    /** SQLite counts the entries of the smallest index, which takes less than a millisecond for all rows that are kept. */
    count: (): number => rowCount.get()?.rows ?? 0,
    findHead: () => head.get(),
    setHead: (row: Omit<typeof auditHead.$inferInsert, "id">): void => void headWrite.run(row),
    findAnchor: () => anchor.get(),
    findHash: (number: number) => hash.get({ number })?.hash,
    findAtOrBefore: (number: number) => byNumber.get({ number }),
    insert: preparedInsert(db, auditEvents, "number"),
    /** Lists rows in `(at, number)` order, so that rows of one millisecond keep the order of the hash chain. */
    list: (filters: AuditFilters, page: Page): readonly AuditRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    /** Returns how many rows it removed. */
    removeUpTo: (number: number): number => removal.run({ number }).changes,
    setAnchor: (row: Omit<typeof auditAnchor.$inferInsert, "id">): void => {
      db.insert(auditAnchor)
        .values({ id: 1, ...row })
        .onConflictDoUpdate({ target: auditAnchor.id, set: row })
        .run();
    },
  };
}
