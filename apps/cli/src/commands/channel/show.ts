import { argument } from "../../arguments.ts";
import { defineCommand } from "../../command.ts";
import { findChannel } from "../../find/channel.ts";
import { gather } from "../../gather.ts";
import { renderDetails } from "../../output/details.ts";
import { quoteName } from "../../output/hints.ts";
import { byPath, channelAssignmentColumns } from "../../views/channel-assignments.ts";
import { channelDetails } from "../../views/channel.ts";
import { deliveryColumns } from "../../views/delivery.ts";

export const command = defineCommand({
  arguments: [argument.channel],
  examples: [["belfry channel show Ops", "show the channel, what notifies it, and its latest deliveries"]],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const channel = await findChannel(client, typed);
    if (out.json) return out.answer(channel, () => "");
    const last = await client.notificationDeliveries.list({ channel_id: channel.id, limit: 5 });
    const assignments = byPath(await gather(client.notificationAssignments.ofChannel(channel.id)));
    out.write(renderDetails(channelDetails(channel)));
    if (assignments.length > 0) out.write(`\n${out.table(channelAssignmentColumns, assignments)}`);
    else
      out.note(
        `No task or group notifies it. Assign it with: belfry notify set <task> --on-failure ${quoteName(channel.name)}`,
      );
    const columns = deliveryColumns.filter(({ title }) => title !== "CHANNEL");
    if (last.notification_deliveries.length > 0) out.write(`\n${out.table(columns, last.notification_deliveries)}`);
  },
});
