import type { EventKind } from "@belfry/client";
import type { Query, QueryClient } from "@tanstack/react-query";

/** Under a stream of events, each list is read this often at most. */
const pauseMs = 750;
/** After a read, the same is not read for so many times as long as it took: it leaves the daemon and the browser time for others. */
const restFactor = 2;
const restMaxMs = 10_000;

/**
 * Returns a function that has read again what an event concerns: at once after a quiet time, and then at most once in each
 * pause. A query names the kinds that concern it in `meta.kinds`. It stops when `signal` is aborted.
 *
 * A read that is running when an event comes is not cut off, because a slow one would never end. It may have begun before
 * the change, so another one follows it.
 *
 * What takes long to read is read less often: many pages of a list, for example, or a link that is slow.
 */
export function createRefresh(queries: QueryClient, signal: AbortSignal): (kind: EventKind | "all") => void {
  const kinds = new Set<EventKind | "all">();
  const late = new Set<Query>();
  const restsUntil = new WeakMap<Query, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isDue = (query: Query): boolean => late.has(query) || isConcerned(query, kinds);
  const isReady = (query: Query): boolean =>
    query.state.fetchStatus === "idle" && (restsUntil.get(query) ?? 0) <= performance.now();
  const readAgain = async (query: Query): Promise<void> => {
    const begun = performance.now();
    await queries.invalidateQueries({ predicate: (one) => one === query }, { cancelRefetch: false });
    const tookMs = performance.now() - begun;
    // a read that fails may wait long for an answer, and says nothing about the next one
    const isRead = query.state.status === "success";
    restsUntil.set(query, isRead ? performance.now() + Math.min(restMaxMs, restFactor * tookMs) : 0);
  };
  const flush = (): void => {
    timer = undefined;
    if (kinds.size === 0 && late.size === 0) return;
    const due = queries.getQueryCache().findAll({ predicate: isDue });
    kinds.clear();
    late.clear();
    for (const query of due) {
      if (isReady(query)) void readAgain(query);
      else late.add(query);
    }
    timer = setTimeout(flush, pauseMs);
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  return (kind) => {
    if (signal.aborted) return;
    kinds.add(kind);
    timer ??= setTimeout(flush, 20);
  };
}

function isConcerned({ meta }: Query, by: ReadonlySet<EventKind | "all">): boolean {
  const kinds = meta?.["kinds"] as readonly EventKind[] | "all" | undefined;
  if (by.has("all") || kinds === "all") return by.size > 0;
  return kinds?.some((kind) => by.has(kind)) ?? false;
}
