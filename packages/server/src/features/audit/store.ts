import { and, desc, eq, gte, lt, lte, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import { afterCursor, pageValues, perShape, preparedInsert } from "../../kernel/storage/statements.ts";
import { auditAnchor, auditEvents, type AuditRow } from "./table.ts";

export interface AuditFilters {
  readonly actorId?: string | undefined;
  readonly operation?: string | undefined;
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
  const anchor = db.select().from(auditAnchor).prepare();
  const byNumber = db
    .select({ number: auditEvents.number, hash: auditEvents.hash })
    .from(auditEvents)
    .where(lte(auditEvents.number, placeholder("number")))
    .orderBy(desc(auditEvents.number))
    .limit(1)
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

  return {
    findNewest: () => newest.get(),
    findAnchor: () => anchor.get(),
    findAtOrBefore: (number: number) => byNumber.get({ number }),
    insert: preparedInsert(db, auditEvents, "number"),
    /** Lists rows in `(at, number)` order, so that rows of one millisecond keep the order of the hash chain. */
    list: (filters: AuditFilters, page: Page): readonly AuditRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    removeUpTo: (number: number): void => void removal.run({ number }),
    setAnchor: (number: number, hash: string): void => {
      db.insert(auditAnchor)
        .values({ id: 1, number, hash })
        .onConflictDoUpdate({ target: auditAnchor.id, set: { number, hash } })
        .run();
    },
  };
}
