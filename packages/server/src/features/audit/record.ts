import { type ErrorCode, limits } from "@belfry/contract";
import { newId } from "../../kernel/ids.ts";
import type { Actor } from "../../kernel/operation.ts";
import { excerpt } from "../../kernel/log/redact.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { hashOf } from "./hash-chain.ts";
import type { AuditStore } from "./store.ts";

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

export function createAudit(store: AuditStore, keptMax: number = limits.auditKept) {
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
        previousHash: store.findNewest()?.hash ?? store.findAnchor()?.hash ?? null,
      };
      const number = store.insert({ ...row, hash: hashOf(row) });
      if (number % pruneStep === 0) prune(number);
    },
    /** Returns the newest row. Each start writes it to the log, which reveals rows that were cut off the end. */
    head: () => store.findNewest(),
    list: store.list,
  };

  function prune(newest: number): void {
    const last = store.findAtOrBefore(newest - keptMax);
    if (last === undefined) return;
    store.setAnchor(last.number, last.hash);
    store.removeUpTo(last.number);
  }
}
