import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { text } from "../../options.ts";
import { channelColumns } from "../../views/channel.ts";

export const command = defineCommand({
  options: { name: text("--name <part>", "with this in the name") },
  examples: [["belfry channel list", "all channels"]],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const page = await client.notificationChannels.list(withoutUndefined({ q: options.name }));
    const empty = "No channels. Add one: belfry channel add Ops";
    await out.list(page, { plural: "notification_channels", isWhole: true, columns: channelColumns, empty });
  },
});
