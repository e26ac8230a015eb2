import type { Db } from "../../kernel/storage/database.ts";
import type { Sealing } from "../../kernel/secrets/secrets.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { createMarkSeal } from "./marks.ts";
import { createAuditStore } from "./store.ts";

export const auditMarksMigration = "0017_audit_chain.sql";

/**
 * Authenticates the ends of the trail that a database has when it gets the table of the head. Runs in the transaction of
 * that migration, so that a database without these marks is never a new one, but one that was changed.
 */
export function beginAuditMarks({
  db,
  sealing,
  now,
}: {
  readonly db: Db;
  readonly sealing: Sealing;
  readonly now: Instant;
}): void {
  const store = createAuditStore(db);
  const seal = createMarkSeal(sealing);
  const anchor = store.findAnchor();
  const newest = store.findNewest() ?? anchor;
  const { number, hash } = newest ?? { number: 0, hash: null };
  store.setHead(seal.sealHead({ number, hash, authenticatedSince: now, tamperedAt: null }));
  if (anchor !== undefined) store.setAnchor(seal.sealAnchor(anchor));
}
