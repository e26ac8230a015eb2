import { type ErrorCode, limits } from "@belfry/contract";
import { newId } from "../../kernel/ids.ts";
import { describeError, findDamage } from "../../kernel/errors/errors.ts";
import type { Actor } from "../../kernel/operation.ts";
import { excerpt } from "../../kernel/log/redact.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { Page } from "../../kernel/storage/page.ts";
import { type ChainHeadParts, createChainHead } from "./chain-head.ts";
import { hashOf } from "./hash-chain.ts";
import type { Head, Mark } from "./marks.ts";
import type { AuditFilters } from "./store.ts";
import type { AuditRow } from "./table.ts";

/** One call, for its audit row: the names of changed members, never their values. */
export interface AuditEntry {
  readonly actor: Actor;
  readonly operation: string;
  readonly resourceType: string;
  readonly resourceId: string | null;
  readonly result: "allowed" | "denied" | "failed";
  readonly errorCode: ErrorCode | null;
  readonly requestId: string;
  readonly changedFields: readonly string[];
}

export type Audit = ReturnType<typeof createAudit>;

/** Rows are removed this many at a time, so that most writes remove none. */
const pruneStep = 1_000;

export interface AuditTrailParts extends ChainHeadParts {
  /** The number of newest rows to keep. Default: the contract's limit. */
  readonly auditKept?: number | undefined;
}

export function createAudit(parts: AuditTrailParts) {
  const { store, seal, log, auditKept = limits.auditKept } = parts;
  const head = createChainHead(parts);
  checkAtStart();

  return {
    /** Adds a row in the transaction of the change: both are committed, or neither. */
    record: (unit: Unit, entry: AuditEntry): void => {
      const { actor, ...rest } = entry;
      const row = {
        ...rest,
        resourceId: entry.resourceId === null ? null : excerpt(entry.resourceId),
        id: newId("aud"),
        at: unit.now,
        actorId: actor.id,
        actorName: actor.name,
        transport: actor.transport,
        changedFields: [...entry.changedFields].sort(),
        previousHash: head.read().hash,
      };
      const hash = hashOf(row);
      const number = store.insert({ ...row, hash });
      head.advance(unit, { number, hash });
      if (number % pruneStep === 0) prune(number);
    },
    /** Returns the newest row; null before the first one. */
    head: (): Mark | null => markOf(head.read()),
    /** Writes the newest row to the log, which reveals rows that were removed since, even with a copy of an older database. */
    logHead: (): void => {
      const mark = markOf(head.read());
      if (mark !== null) log.info("audit.head", { number: mark.number, hash: mark.hash });
    },
    /** Returns both ends of the chain, after it has checked them. */
    chain: () => {
      head.check();
      return { ...head.read(), anchor: store.findAnchor() ?? null };
    },
    list: (filters: AuditFilters, page: Page): readonly AuditRow[] => {
      const rows = store.list(filters, page);
      const isWhole = Object.values(filters).every((filter) => filter === undefined);
      // a part of the trail has gaps anyway
      if (isWhole) head.checkPage(rows, { isFirst: page.after === null });
      return rows;
    },
  };

  function checkAtStart(): void {
    try {
      head.check();
    } catch (error) {
      // tasks run without a trail, and a change that cannot be recorded is refused
      if (findDamage(error) === null) throw error;
      log.error("audit.not_checked", { error: describeError(error) });
    }
  }

  function prune(newest: number): void {
    const last = store.findAtOrBefore(newest - auditKept);
    if (last === undefined) return;
    const expected = last.number - (store.findAnchor()?.number ?? 0);
    store.setAnchor(seal.sealAnchor(last));
    if (store.removeUpTo(last.number) !== expected) head.report({ fault: "pruned_rows_missing", ...last });
  }
}

function markOf({ number, hash }: Head): Mark | null {
  return hash === null ? null : { number, hash };
}
