import { argument } from "../../arguments.ts";
import { findChannel } from "../../find/channel.ts";
import { defineAction } from "../resource-action.ts";

export const command = defineAction({
  argument: argument.channel,
  find: findChannel,
  act: (client, channel) => client.notificationChannels.delete(channel.id),
  done: (channel) => `Deleted the channel ${JSON.stringify(channel.name)}`,
  examples: [["belfry channel delete Ops", "with its assignments, its secrets and what is not yet delivered"]],
});
