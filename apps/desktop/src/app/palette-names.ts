import type { EventKind } from "@belfry/client";
import { useRead } from "../data/read.ts";
import { useSession } from "../data/session.tsx";

export interface Named {
  readonly value: string;
  readonly name: string;
  readonly note: string;
  readonly leads: string;
}

interface Thing {
  readonly id: string;
  readonly name: string;
}

const most = 5;

/** Groups, triggers, watchers and channels with a text in their names. */
export function useNamed(asked: string): readonly Named[] {
  const { client } = useSession();
  const query = { q: asked, limit: most };
  const groups = useNames(asked, "group", async (signal) => (await client.groups.list(query, { signal })).groups);
  const triggers = useNames(
    asked,
    "trigger",
    async (signal) => (await client.triggers.list(query, { signal })).triggers,
  );
  const watchers = useNames(
    asked,
    "filesystem_watcher",
    async (signal) => (await client.watchers.list(query, { signal })).filesystem_watchers,
  );
  const channels = useNames(
    asked,
    "notification_channel",
    async (signal) => (await client.notificationChannels.list(query, { signal })).notification_channels,
  );
  return [
    ...named(groups, "group", (id) => `/tasks?group=${id}`),
    ...named(triggers, "trigger", (id) => `/triggers/${id}`),
    ...named(watchers, "watcher", (id) => `/watchers/${id}`),
    ...named(channels, "channel", (id) => `/channels/${id}`),
  ];
}

function useNames(
  asked: string,
  kind: EventKind,
  read: (signal: AbortSignal) => Promise<readonly Thing[]>,
): readonly Thing[] {
  const { data } = useRead(["palette", kind, asked], read, {
    kinds: [kind],
    isWanted: asked !== "",
    keepsFormer: true,
  });
  // what the caller may not read is not found
  return asked === "" || data === null ? [] : data;
}

function named(things: readonly Thing[], note: string, leads: (id: string) => string): readonly Named[] {
  return things.map(({ id, name }) => ({ value: `${note} ${id}`, name, note, leads: leads(id) }));
}
