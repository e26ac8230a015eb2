import { useConnection } from "./connection.ts";
import { useSession } from "./session.tsx";
import { type Read, useRead } from "./read.ts";

const ladder = ["observe", "operate", "manage", "enroll"] as const;
export type Capability = (typeof ladder)[number];

export interface Grant {
  /** Null until it is known, and while the daemon refuses what it has granted. A page is closed only by one that is known. */
  readonly capability: Capability | null;
  readonly name: string | null;
  /** How it became known, or why it is not. */
  readonly read: Read<unknown>;
  readonly may: (needed: Capability) => boolean;
  /** The same for an act that a daemon allows only on its own machine. */
  readonly mayHere: (needed: Capability) => boolean;
}

/**
 * What the caller of these screens may do on this daemon. Until it is known, nothing but reading. A daemon that has a
 * problem of its own has withdrawn nothing: what somebody has typed or is asked meanwhile stays.
 */
export function useGrant(): Grant {
  const { client, profile } = useSession();
  const read = useRead(["grant"], (signal) => client.access.current({ signal }), { kinds: ["actor"] });
  const { data } = read;
  const connection = useConnection();
  const isLost = connection.is === "offline" && connection.cause === "forbidden";
  const capability = isLost ? null : (data?.capability ?? null);
  const may = (needed: Capability): boolean =>
    capability !== null && ladder.indexOf(capability) >= ladder.indexOf(needed);
  return {
    capability,
    read,
    name: data?.actor_name ?? null,
    may,
    mayHere: (needed) => profile === "local" && may(needed),
  };
}
