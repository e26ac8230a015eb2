import { isConnectionError } from "@belfry/client";
import { QueryClient } from "@tanstack/react-query";

/** How soon a read is tried again whose answer was lost, though the stream of events may still be open. */
const lostReadMs = 3_000;

/** Events say when to read again. The SDK repeats a read that failed for a moment. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 300_000,
        retry: false,
        refetchInterval: readAfter(false),
        networkMode: "always",
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/** When a query is read again: after `everyMs`, which is false for never, or soon if its last answer was lost. */
export function readAfter(
  everyMs: number | false,
): (query: { readonly state: { readonly error: unknown } }) => number | false {
  return ({ state }) => (isConnectionError(state.error) ? lostReadMs : everyMs);
}
