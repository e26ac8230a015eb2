import { argument } from "../../arguments.ts";
import { findChannel } from "../../find/channel.ts";
import { defineLocalAction } from "../resource-action.ts";

export const command = defineLocalAction({
  noun: "channel",
  argument: argument.channel,
  find: findChannel,
  act: (client, channel) => client.notificationChannels.delete(channel.id),
  done: "Deleted",
  examples: [["belfry channel delete Ops", "delete the channel with its assignments, secrets and pending deliveries"]],
});
