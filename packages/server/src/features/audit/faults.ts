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
    | "rows_out_of_order"
    | "pruned_rows_missing";
  readonly number: number | null;
  readonly hash: string | null;
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

/** Checks that each of these rows follows the row whose number precedes its own: the hashes do not cover the numbers. */
export function findFaultInOrder(store: AuditStore, rows: readonly AuditRow[]): Fault | null {
  const hashes = new Map(rows.map(({ number, hash }) => [number, hash]));
  for (const row of rows) {
    const before = hashes.get(row.number - 1) ?? store.findHash(row.number - 1);
    if (before !== undefined && before !== row.previousHash) return faultAt("rows_out_of_order", row);
  }
  return null;
}

function faultAt(
  fault: Fault["fault"],
  at: { readonly number: number; readonly hash: string | null } | undefined,
): Fault {
  return { fault, number: at?.number ?? null, hash: at?.hash ?? null };
}
