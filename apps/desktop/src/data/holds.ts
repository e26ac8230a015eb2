import { eventKindsOf, type Hold } from "@belfry/client";
import { type Read, useRead } from "./read.ts";
import { useSession } from "./session.tsx";

/** All holds, which also show the names of their groups. */
export function useHolds(): Read<readonly Hold[]> {
  const { client } = useSession();
  return useRead(["holds"], async (signal) => (await client.holds.list({}, { signal })).holds, {
    kinds: eventKindsOf("holds"),
  });
}
