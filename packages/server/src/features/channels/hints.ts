import type { Hints } from "../../kernel/module.ts";
import type { ChannelFact } from "./facts.ts";
import type { Channels } from "./service.ts";
import { viewChannel } from "./view.ts";

export function channelHints(channels: Channels): Hints<ChannelFact> {
  const hint =
    (verb: "created" | "updated" | "deleted") =>
    ({ channelId: id }: { readonly channelId: string }) => {
      const row = channels.find(id);
      if (row === undefined) return verb === "deleted" ? ({ kind: "notification_channel", verb, id } as const) : null;
      return { kind: "notification_channel", verb, id, notification_channel: viewChannel(row) } as const;
    };
  return {
    kind: "notification_channel",
    of: {
      "channel.created": hint("created"),
      "channel.updated": hint("updated"),
      "channel.deleting": null,
      "channel.deleted": hint("deleted"),
      "channel.health_turned": hint("updated"),
    },
  };
}
