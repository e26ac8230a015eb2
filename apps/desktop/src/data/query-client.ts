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
        refetchInterval: ({ state }) => (isConnectionError(state.error) ? lostReadMs : false),
        networkMode: "always",
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
