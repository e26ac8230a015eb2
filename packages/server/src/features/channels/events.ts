import type { ModuleEvents } from "../../kernel/module.ts";
import { resourceEvents } from "../../kernel/resource-events.ts";
import type { ChannelFact } from "./facts.ts";
import type { Channels } from "./service.ts";
import { viewChannel } from "./view.ts";

export function channelEvents(channels: Channels): ModuleEvents<ChannelFact> {
  const event = resourceEvents("notification_channel", (id) => {
    const row = channels.find(id);
    return row && viewChannel(row);
  });
  return {
    kind: "notification_channel",
    of: {
      "channel.created": ({ channelId }) => event.created(channelId),
      "channel.updated": ({ channelId }) => event.updated(channelId),
      "channel.deleting": null,
      "channel.deleted": ({ channelId }) => event.deleted(channelId),
      "channel.health_turned": ({ channelId }) => event.updated(channelId),
    },
  };
}
