import { createStore, useStore } from "./store.ts";

/**
 * Whether the screens hear of changes. `since`: when they last did; null if they never have. `cause`: the daemon does not
 * answer (`silent`), it answers and does not report changes for now (`refused`), it no longer grants what the screens had
 * (`forbidden`), or what is between the screens and every daemon does not answer itself (`cut-off`).
 */
export type Connection =
  | { readonly is: "connecting" }
  | { readonly is: "live" }
  | {
      readonly is: "offline";
      readonly since: number | null;
      readonly problem: string;
      readonly cause: "silent" | "refused" | "forbidden" | "cut-off";
    };

export const connection = createStore<Connection>({ is: "connecting" });

export function useConnection(): Connection {
  return useStore(connection);
}

/** Until when something is known: until now, or until the daemon was last heard of. */
export function knownUntil(of: Connection, now: number): number {
  return of.is === "offline" && of.since !== null ? Math.min(of.since, now) : now;
}
