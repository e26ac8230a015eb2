import type { Group } from "@belfry/client";
import { useRead } from "./read.ts";
import { useSession } from "./session.tsx";

/** The groups, for a choice or for their names; empty until they are known. */
export function useGroupNames(): readonly Group[] {
  const { client } = useSession();
  const read = useRead(["groups", "names"], (signal) => client.groups.list({ limit: 500 }, { signal }), {
    kinds: ["group"],
  });
  return read.data?.groups ?? [];
}
