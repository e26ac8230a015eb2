import type { Client, NotificationChannel } from "@belfry/client";
import { find } from "./find.ts";

export function findChannel(client: Client, typed: string): Promise<NotificationChannel> {
  return find(
    {
      noun: "channel",
      idPrefix: "nch",
      get: (id) => client.notificationChannels.get(id),
      search: (part) => client.notificationChannels.list(part === null ? {} : { q: part }),
      // no two channels share a name
      pathOf: (channel) => channel.name,
    },
    typed,
  );
}
