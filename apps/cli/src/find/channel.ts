import type { NotificationChannel } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { find } from "./find.ts";

export function findChannel(client: AnyClient, typed: string): Promise<NotificationChannel> {
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
