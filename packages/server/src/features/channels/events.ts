import type { ModuleEvents } from "../../kernel/module.ts";
import type { ChannelFact } from "./facts.ts";
import type { Channels } from "./service.ts";
import { viewChannel } from "./view.ts";

export function channelEvents(channels: Channels): ModuleEvents<ChannelFact> {
  const event =
    (verb: "created" | "updated" | "deleted") =>
    ({ channelId: id }: { readonly channelId: string }) => {
      const row = channels.find(id);
      if (row === undefined) return verb === "deleted" ? ({ kind: "notification_channel", verb, id } as const) : null;
      return { kind: "notification_channel", verb, id, notification_channel: viewChannel(row) } as const;
    };
  return {
    kind: "notification_channel",
    of: {
      "channel.created": event("created"),
      "channel.updated": event("updated"),
      "channel.deleting": null,
      "channel.deleted": event("deleted"),
      "channel.health_turned": event("updated"),
    },
  };
}
