import { argument } from "../../arguments.ts";
import { findChannel } from "../../find/channel.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.channel,
  find: findChannel,
  act: (client, channel) => client.notificationChannels.enable(channel.id),
  done: (channel) => `Enabled the channel ${JSON.stringify(channel.name)}`,
  examples: [["belfry channel enable Ops", "let it get deliveries again"]],
});
