import type { Hint } from "@belfry/contract";
import type { Definition, Watchable, WatchItem, WatchQuery } from "./watchable.ts";

/** More changed items than this are read with the whole list. */
const itemsMax = 4;

/** What a live list holds: the newest items, and whether the daemon has more. */
export interface Held<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** One live list: what it shows, of which items. */
export interface Selection<W extends Watchable> {
  readonly definition: Definition<W>;
  readonly query: WatchQuery<W>;
}

/** What to read after some events: the whole list, or single items. */
export type Reads =
  | { readonly kind: "list" }
  | { readonly kind: "items"; readonly ids: readonly string[]; readonly deleted: ReadonlySet<string> };

/**
 * Decides what to read after these events. An event only says what to read: it may be outdated, and does not show
 * everything that the reader may see.
 */
export function planReads<W extends Watchable>(
  { definition, query }: Selection<W>,
  held: Held<WatchItem<W>>,
  hints: readonly Hint[],
): Reads {
  const { kind, shapes = [], constant = [], touches = {}, adds = {}, others = {} } = definition;
  const filters = namesOf(query);
  const get = filters.some((name) => shapes.includes(name)) ? null : definition.get;
  const members: readonly PropertyKey[] = definition.members;
  const unknown = filters.filter((name) => !members.includes(name));
  const maySelectOthers = filters.some((name) => !constant.includes(name));
  const heldIds = new Set(held.items.map(({ id }) => id));
  const ids = new Set<string>();
  const deleted = new Set<string>();
  for (const hint of hints) {
    if (hint.kind !== kind) {
      if (unknown.some((name) => others[name]?.includes(hint.kind))) return { kind: "list" };
      // safe because the kind of the event selects the function
      const mayAdd = adds[hint.kind] as ((hint: Hint) => boolean) | undefined;
      if (mayAdd?.(hint) === true) return { kind: "list" };
      const isTouched = touches[hint.kind] as ((item: WatchItem<W>, hint: Hint) => boolean) | undefined;
      if (isTouched !== undefined) for (const item of held.items) if (isTouched(item, hint)) ids.add(item.id);
    } else if (hint.verb === "deleted") {
      ids.delete(hint.id);
      deleted.add(hint.id);
    } else if (!constant.some((name) => isOther(hint, query, name))) {
      if (unknown.length > 0 || get === null) return { kind: "list" };
      const isNew = hint.verb === "created" || hint.verb === "queued";
      // an older item than those that are kept
      if (held.hasMore && !isNew && !maySelectOthers && !heldIds.has(hint.id) && !ids.has(hint.id)) continue;
      ids.add(hint.id);
    }
    if (ids.size > itemsMax || (ids.size > 0 && get === null)) return { kind: "list" };
  }
  // an older item takes the place of a deleted one
  if (held.hasMore && !deleted.isDisjointFrom(heldIds)) return { kind: "list" };
  return { kind: "items", ids: [...ids], deleted };
}

/** Returns the list after some of its items were read: null for an item that does not exist any more. */
export function mergeItems<W extends Watchable>(
  { definition, query }: Selection<W>,
  held: Held<WatchItem<W>>,
  read: ReadonlyMap<string, WatchItem<W> | null>,
): { readonly isComplete: boolean; readonly held: Held<WatchItem<W>> } {
  const { orderOf, members, limit } = definition;
  const max = query.limit ?? limit;
  const filters = members.filter((name) => query[name] !== undefined);
  const kept = held.items.filter(({ id }) => !read.has(id));
  const isFull = held.hasMore;
  const oldest = held.items.at(-1);
  const isNewer = (a: WatchItem<W>, b: WatchItem<W>): boolean =>
    orderOf(a) === orderOf(b) ? a.id > b.id : orderOf(a) > orderOf(b);
  for (const item of read.values()) {
    if (item === null || filters.some((name) => String(item[name]) !== String(query[name]))) continue;
    // there may be other items between it and those that are kept
    if (isFull && oldest !== undefined && isNewer(oldest, item)) continue;
    const at = kept.findIndex((other) => isNewer(item, other));
    kept.splice(at === -1 ? kept.length : at, 0, item);
  }
  const isComplete = !isFull || kept.length >= held.items.length;
  return { isComplete, held: { items: kept.slice(0, max), hasMore: isFull || kept.length > max } };
}

function namesOf(query: object): readonly string[] {
  return Object.entries(query).flatMap(([name, value]) => (name === "limit" || value === undefined ? [] : [name]));
}

function isOther(hint: object, query: object, name: string): boolean {
  const wanted: unknown = Reflect.get(query, name);
  return wanted !== undefined && Reflect.get(hint, name) !== wanted;
}
