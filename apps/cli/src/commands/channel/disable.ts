import { argument } from "../../arguments.ts";
import { findChannel } from "../../find/channel.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.channel,
  find: findChannel,
  act: (client, channel) => client.notificationChannels.disable(channel.id),
  done: (channel) => `Disabled the channel ${JSON.stringify(channel.name)}`,
  examples: [["belfry channel disable Ops", "nothing new; what is queued still goes out"]],
});
