import { eventKindsOf, type Group } from "@belfry/client";
import { type Read, useRead } from "./read.ts";
import { useSession } from "./session.tsx";

/** All groups: the daemon cuts this list into pages only if it is asked to. */
export function useGroups(): Read<readonly Group[]> {
  const { client } = useSession();
  return useRead(["groups"], async (signal) => (await client.groups.list({}, { signal })).groups, {
    kinds: eventKindsOf("groups"),
  });
}

/** The groups, for a choice or for their names; empty until they are known. */
export function useGroupNames(): readonly Group[] {
  return useGroups().data ?? none;
}

const none: readonly Group[] = [];
