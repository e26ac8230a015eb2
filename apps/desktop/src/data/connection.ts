import { createStore, useStore } from "./store.ts";

/**
 * Whether the screens hear of changes. `since`: when they last did; null if they never have. `isRefused`: the daemon
 * answers, but does not report changes.
 */
export type Connection =
  | { readonly is: "connecting" }
  | { readonly is: "live" }
  | { readonly is: "offline"; readonly since: number | null; readonly problem: string; readonly isRefused: boolean };

export const connection = createStore<Connection>({ is: "connecting" });

export function useConnection(): Connection {
  return useStore(connection);
}

/** Until when something is known: until now, or until the daemon was last heard of. */
export function knownUntil(of: Connection, now: number): number {
  return of.is === "offline" && of.since !== null ? Math.min(of.since, now) : now;
}
