import type { NotificationChannel } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { find, type ResourceKind } from "./find.ts";

export function channelKind(client: AnyClient): ResourceKind<NotificationChannel> {
  return {
    noun: "channel",
    idPrefix: "nch",
    get: (id) => client.notificationChannels.get(id),
    search: (part) => client.notificationChannels.list(part === null ? {} : { q: part }),
    // no two channels share a name
    pathOf: (channel) => channel.name,
  };
}

export function findChannel(client: AnyClient, typed: string): Promise<NotificationChannel> {
  return find(channelKind(client), typed);
}
