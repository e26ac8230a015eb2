import { isApiError } from "../api-error.ts";
import { EventsApi } from "../api/events.ts";
import type { Caller, QueryOf } from "../caller.ts";
import { itemsOf, type ListAnswer, type Page } from "../page.ts";
import { EventFeed } from "./event-feed.ts";
import { ListStore, type ListReader } from "./list-store.ts";
import type { LiveList, WatchOptions } from "./live-list.ts";
import {
  type Definition,
  definitions,
  type ListOf,
  type Watchable,
  type WatchItem,
  type WatchQuery,
} from "./watchable.ts";

/** The most items of one page. */
const pageMax = 1_000;

/** Follows a list of the daemon. */
export interface Watch {
  /**
   * Returns a list that is kept true until it is closed: it follows the events, reads what they concern, and reads everything
   * again after each connection. All lists of a client share one stream of events. The newest items come first.
   *
   * ```ts
   * await using runs = client.watch("runs", { task_id: task.id, limit: 20 });
   * runs.subscribe(() => show(runs.getSnapshot()));
   * ```
   */
  <W extends Watchable>(what: W, query?: WatchQuery<W>, options?: WatchOptions): LiveList<WatchItem<W>>;
}

/** Creates the function that watches lists, whose calls `caller` sends. */
export function createWatch(caller: Caller): Watch {
  const feed = new EventFeed(new EventsApi(caller), caller.delayMs);
  return <W extends Watchable>(what: W, query: WatchQuery<W> = {} as WatchQuery<W>, options: WatchOptions = {}) => {
    const definition: Definition<W> = definitions[what];
    const selection = { definition, query };
    return new ListStore<W>({
      feed,
      selection,
      reader: readerOf(caller, definition, query),
      delayMs: caller.delayMs,
      options,
    });
  };
}

/** The types of queries and items follow from the operations, which the compiler cannot see while it does not know which list it is. */
function readerOf<W extends Watchable>(
  caller: Caller,
  definition: Definition<W>,
  query: WatchQuery<W>,
): ListReader<WatchItem<W>> {
  const limit = query.limit ?? definition.limit;
  const list = async (signal: AbortSignal) => {
    const wanted = { ...query, limit: Math.min(limit, pageMax) } as QueryOf<ListOf<W>>;
    const first: unknown = await caller.list(definition.list, { query: wanted, options: { signal } });
    let page = first as Page<ListAnswer>;
    const items = [...itemsOf(page)];
    while (page.hasNextPage() && items.length < limit) {
      page = await page.getNextPage();
      items.push(...itemsOf(page));
    }
    const hasMore = page.hasNextPage() || items.length > limit;
    return { items: items.slice(0, limit) as readonly WatchItem<W>[], hasMore };
  };
  const item = async (id: string, signal: AbortSignal) => {
    try {
      const found = (await caller.call(definition.get!, { params: { id }, options: { signal } })) as WatchItem<W>;
      return definition.inList?.(found) ?? found;
    } catch (error) {
      if (isApiError(error, "not_found")) return null;
      throw error;
    }
  };
  return { list, item };
}
