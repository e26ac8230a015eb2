import { argument } from "../../arguments.ts";
import { findChannel } from "../../find/channel.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "channel",
  argument: argument.channel,
  find: findChannel,
  act: (client, channel) => client.notificationChannels.disable(channel.id),
  done: "Disabled",
  unchanged: "already disabled",
  examples: [["belfry channel disable Ops", "queue no new deliveries; queued ones are still sent"]],
});
