import { argument } from "../../arguments.ts";
import { findChannel } from "../../find/channel.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  noun: "channel",
  argument: argument.channel,
  find: findChannel,
  act: (client, channel) => client.notificationChannels.enable(channel.id),
  done: "Enabled",
  unchanged: "already enabled",
  examples: [["belfry channel enable Ops", "allow new deliveries again"]],
});
