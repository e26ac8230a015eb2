import type { Head, MarkSeal } from "./marks.ts";
import type { AuditStore } from "./store.ts";
import type { AuditRow } from "./table.ts";

/** Something that only another program can have done to the trail, for the log. */
export interface Fault {
  readonly fault:
    | "head_missing"
    | "head_changed"
    | "anchor_changed"
    | "newest_row_is_not_the_head"
    | "oldest_row_does_not_follow_the_anchor"
    | "number_skipped"
    | "row_missing"
    | "rows_miscounted"
    | "rows_out_of_order"
    | "pruned_rows_missing";
  readonly number: number | null;
  readonly hash: string | null;
  /** How many rows there are, and how many there should be. */
  readonly count?: number;
  readonly expected?: number;
}

/** Checks both marks, and that the rows begin and end at them. `known` is the head as this process knows it. */
export function findFaultAtEnds(store: AuditStore, seal: MarkSeal, known: Head): Fault | null {
  const stored = store.findHead();
  if (stored === undefined) return { fault: "head_missing", number: null, hash: null };
  const isKnown = known.number === stored.number && known.hash === stored.hash;
  if (!isKnown || !seal.isGenuineHead(stored)) return faultAt("head_changed", stored);
  const anchor = store.findAnchor();
  if (anchor !== undefined && !seal.isGenuineAnchor(anchor)) return faultAt("anchor_changed", anchor);
  const newest = store.findNewest() ?? anchor;
  if ((newest?.number ?? 0) !== stored.number || (newest?.hash ?? null) !== stored.hash)
    return faultAt("newest_row_is_not_the_head", newest);
  const oldest = store.findOldest();
  if (oldest === undefined) return null;
  const follows = oldest.number === (anchor?.number ?? 0) + 1 && oldest.previousHash === (anchor?.hash ?? null);
  return follows
    ? null
    : faultAt("oldest_row_does_not_follow_the_anchor", { number: oldest.number, hash: oldest.previousHash });
}

/** Counts the rows between both ends, which reveals a row that was removed or added in between. */
export function findFaultInCount(store: AuditStore, { number }: Head): Fault | null {
  const count = store.count();
  const expected = number - (store.findAnchor()?.number ?? 0);
  return count === expected ? null : { fault: "rows_miscounted", number: null, hash: null, count, expected };
}

/**
 * Checks rows of the whole trail: that each has the row before it, and follows it. Hashes do not cover the numbers, so
 * both are compared. Rows up to the anchor are pruned.
 */
export function findFaultInOrder(store: AuditStore, rows: readonly AuditRow[]): Fault | null {
  const hashes = new Map(rows.map(({ number, hash }) => [number, hash]));
  const anchor = store.findAnchor();
  const hashBefore = (number: number): string | null | undefined =>
    hashes.get(number - 1) ??
    (number - 1 === (anchor?.number ?? 0) ? (anchor?.hash ?? null) : store.findHash(number - 1));
  for (const row of rows) {
    const before = hashBefore(row.number);
    if (before === undefined) return { fault: "row_missing", number: row.number - 1, hash: row.previousHash };
    if (before !== row.previousHash) return faultAt("rows_out_of_order", row);
  }
  return null;
}

function faultAt(
  fault: Fault["fault"],
  at: { readonly number: number; readonly hash: string | null } | undefined,
): Fault {
  return { fault, number: at?.number ?? null, hash: at?.hash ?? null };
}
