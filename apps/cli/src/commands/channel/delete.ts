import { argument } from "../../arguments.ts";
import { findChannel } from "../../find/channel.ts";
import { gather } from "../../gather.ts";
import { assignedText, byPath } from "../../views/channel-assignments.ts";
import { defineLocalAction } from "../resource-action.ts";

export const command = defineLocalAction({
  noun: "channel",
  argument: argument.channel,
  find: findChannel,
  act: (client, channel) => client.notificationChannels.delete(channel.id),
  done: "Deleted",
  goesWith: async (client, channel) => {
    const assignments = byPath(await gather(client.notificationAssignments.ofChannel(channel.id)));
    return assignments.length === 0 ? null : `No longer notifying it: ${assignedText(assignments)}`;
  },
  examples: [["belfry channel delete Ops", "delete the channel with its assignments, secrets and pending deliveries"]],
});
