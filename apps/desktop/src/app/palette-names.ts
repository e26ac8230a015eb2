import type { EventKind } from "@belfry/client";
import { type Read, useRead } from "../data/read.ts";
import { useSession } from "../data/session.tsx";
import type { Searched } from "./palette-problem.ts";

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

/** Groups, triggers, watchers and channels with a text in their names, and how each search went. */
export function useNamed(asked: string): { readonly named: readonly Named[]; readonly searched: readonly Searched[] } {
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
  return {
    named: [
      ...named(groups, "group", (id) => `/tasks?group=${id}`),
      ...named(triggers, "trigger", (id) => `/triggers/${id}`),
      ...named(watchers, "watcher", (id) => `/watchers/${id}`),
      ...named(channels, "channel", (id) => `/channels/${id}`),
    ],
    searched: [
      { what: "groups", read: groups },
      { what: "triggers", read: triggers },
      { what: "watchers", read: watchers },
      { what: "channels", read: channels },
    ],
  };
}

function useNames(
  asked: string,
  kind: EventKind,
  read: (signal: AbortSignal) => Promise<readonly Thing[]>,
): Read<readonly Thing[]> {
  const found = useRead(["palette", kind, asked], read, { kinds: [kind], isWanted: asked !== "", keepsFormer: true });
  return asked === "" ? { ...found, data: null } : found;
}

function named({ data }: Read<readonly Thing[]>, note: string, leads: (id: string) => string): readonly Named[] {
  return (data ?? []).map(({ id, name }) => ({ value: `${note} ${id}`, name, note, leads: leads(id) }));
}
