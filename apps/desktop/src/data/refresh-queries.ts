import type { EventKind } from "@belfry/client";
import type { Query, QueryClient } from "@tanstack/react-query";

/** Under a stream of events, each list is read this often at most. */
const pauseMs = 750;

/**
 * Returns a function that has read again what an event concerns: at once after a quiet time, and then at most once in each
 * pause. A query names the kinds that concern it in `meta.kinds`. It stops when `signal` is aborted.
 *
 * A read that is running when an event comes is not cut off, because a slow one would never end. It may have begun before
 * the change, so another one follows it.
 */
export function createRefresh(queries: QueryClient, signal: AbortSignal): (kind: EventKind | "all") => void {
  const kinds = new Set<EventKind | "all">();
  const late = new Set<Query>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isDue = (query: Query): boolean =>
    late.has(query) || kinds.has("all") || kindsOf(query).some((kind) => kinds.has(kind));
  const flush = (): void => {
    timer = undefined;
    if (kinds.size === 0 && late.size === 0) return;
    const due = queries.getQueryCache().findAll({ predicate: isDue });
    kinds.clear();
    late.clear();
    const ready = new Set<Query>();
    for (const query of due) (query.state.fetchStatus === "idle" ? ready : late).add(query);
    void queries.invalidateQueries({ predicate: (query) => ready.has(query) }, { cancelRefetch: false });
    timer = setTimeout(flush, pauseMs);
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  return (kind) => {
    if (signal.aborted) return;
    kinds.add(kind);
    timer ??= setTimeout(flush, 20);
  };
}

function kindsOf(query: Query): readonly EventKind[] {
  return (query.meta?.["kinds"] as readonly EventKind[] | undefined) ?? [];
}
