import { type Client, type EventKind, isApiError } from "@belfry/client";
import type { Query, QueryClient } from "@tanstack/react-query";
import { connection } from "./connection.ts";

/** Under a stream of events, each list is read this often at most. */
const pauseMs = 750;

/** Follows the daemon's events, and has what they concern read again, until `signal` is aborted. */
export async function refreshByEvents(client: Client, queries: QueryClient, signal: AbortSignal): Promise<void> {
  const refresh = createRefresh(queries);
  const goOffline = (problem: string, isRefused = false): void => {
    const now = connection.get();
    if (now.is !== "offline")
      connection.set({ is: "offline", since: now.is === "live" ? Date.now() : null, problem, isRefused });
  };
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      // each stream is opened here, so that its end is seen
      for await (const event of client.events.subscribe({ signal, reconnect: false })) {
        failures = 0;
        if (event.kind === "resync") {
          connection.set({ is: "live" });
          refresh("all");
        } else refresh(event.kind);
      }
      if (signal.aborted) return;
      goOffline("The daemon closed the connection.");
    } catch (error) {
      if (signal.aborted) return;
      goOffline(error instanceof Error ? error.message : String(error), isApiError(error));
      // such an answer will not change by itself soon
      if (isApiError(error) && error.status < 500) failures += 3;
    }
    await sleep(Math.min(10_000, 250 * 2 ** failures), signal);
  }
}

/** Reads at once after a quiet time, and then at most once in each pause. */
function createRefresh(queries: QueryClient): (kind: EventKind | "all") => void {
  const waiting = new Set<EventKind | "all">();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const concerns = (query: Query): boolean => waiting.has("all") || kindsOf(query).some((kind) => waiting.has(kind));
  const flush = (): void => {
    timer = undefined;
    if (waiting.size === 0) return;
    const kinds = new Set(waiting);
    void queries.invalidateQueries({ predicate: (query) => concerns(query) && kinds.size > 0 });
    waiting.clear();
    timer = setTimeout(flush, pauseMs);
  };
  return (kind) => {
    waiting.add(kind);
    timer ??= setTimeout(flush, 20);
  };
}

function kindsOf(query: Query): readonly EventKind[] {
  return (query.meta?.["kinds"] as readonly EventKind[] | undefined) ?? [];
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
