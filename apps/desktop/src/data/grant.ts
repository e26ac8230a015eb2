import { useSession } from "./session.tsx";
import { useRead } from "./read.ts";

const ladder = ["observe", "operate", "manage", "enroll"] as const;
export type Capability = (typeof ladder)[number];

export interface Grant {
  /** Null until it is known. */
  readonly capability: Capability | null;
  readonly name: string | null;
  readonly may: (needed: Capability) => boolean;
}

/** What the caller of these screens may do on this daemon. Until it is known, nothing but reading. */
export function useGrant(): Grant {
  const { client } = useSession();
  const { data } = useRead(["grant"], (signal) => client.access.current({ signal }), { kinds: ["actor"] });
  const capability = data?.capability ?? null;
  return {
    capability,
    name: data?.actor_name ?? null,
    may: (needed) => capability !== null && ladder.indexOf(capability) >= ladder.indexOf(needed),
  };
}
