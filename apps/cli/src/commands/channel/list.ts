import { defineCommand } from "../../command.ts";
import { emptyOfLocal } from "../../output/empty-list.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { text } from "../../options.ts";
import { channelColumns } from "../../views/channel.ts";

export const command = defineCommand({
  options: { name: text("--name <part>", "only names that contain this text") },
  examples: [["belfry channel list", "list all channels"]],
  run: async ({ connect, options, out, profile }) => {
    const client = await connect();
    const page = await client.notificationChannels.list(withoutUndefined({ q: options.name }));
    const empty =
      options.name === undefined ? emptyOfLocal("channels", "belfry channel add Ops", profile()) : "No channels match";
    await out.list(page, { plural: "notification_channels", isWhole: true, columns: channelColumns, empty });
  },
});
