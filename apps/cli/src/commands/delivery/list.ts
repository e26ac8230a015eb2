import { limits } from "@belfry/contract";
import { deliveryStates } from "../../choices.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { usage } from "../../failure.ts";
import { findChannel } from "../../find/channel.ts";
import { findTask } from "../../find/task.ts";
import { flag, integer, oneOf, text } from "../../options.ts";
import { deliveryColumns } from "../../views/delivery.ts";

const shownDefault = 20;

export const command = defineCommand({
  options: {
    channel: text("--channel <channel>", "only deliveries to this channel"),
    task: text("--task <task>", "only deliveries for runs of this task"),
    run: text("--run <id>", "only deliveries for this run"),
    state: oneOf("--state <state>", "only deliveries in this state", { choices: deliveryStates }),
    limit: integer("-n, --limit <n>", `maximum number of deliveries to show (default ${shownDefault})`, {
      min: 1,
      max: limits.listMax,
    }),
    all: flag("--all", "show all deliveries"),
    cursor: text(
      "--cursor <cursor>",
      "continue after an earlier page: give the next_cursor that --json printed for it",
    ),
  },
  examples: [
    ["belfry delivery list", "list the newest deliveries"],
    ["belfry delivery list --channel Ops --state failed", "list the failed deliveries of a channel"],
  ],
  run: async ({ connect, options, out }) => {
    if (options.all === true && options.limit !== undefined)
      throw usage("--all and --limit cannot be combined. Use one of them");
    const client = await connect();
    const query = withoutUndefined({
      channel_id: options.channel === undefined ? undefined : (await findChannel(client, options.channel)).id,
      task_id: options.task === undefined ? undefined : (await findTask(client, options.task)).id,
      run_id: options.run,
      state: options.state,
      cursor: options.cursor,
    });
    const isWhole = options.all === true;
    const page = await client.notificationDeliveries.list({
      ...query,
      limit: options.limit ?? (isWhole ? limits.listMax : shownDefault),
    });
    const empty =
      Object.keys(query).length === 0
        ? "No deliveries yet. To choose which outcomes are sent to which channel, use: belfry notify set"
        : "No deliveries match";
    await out.list(page, { plural: "notification_deliveries", isWhole, columns: deliveryColumns, empty });
  },
});
