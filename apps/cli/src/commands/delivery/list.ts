import { limits } from "@belfry/contract";
import { deliveryStates } from "../../choices.ts";
import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findChannel } from "../../find/channel.ts";
import { findTask } from "../../find/task.ts";
import { flag, integer, oneOf, text } from "../../options.ts";
import { deliveryColumns } from "../../views/delivery.ts";

const shownDefault = 20;

export const command = defineCommand({
  options: {
    channel: text("--channel <channel>", "to this channel"),
    task: text("--task <task>", "of this task"),
    run: text("--run <id>", "of this run"),
    state: oneOf("--state <state>", "in this state", deliveryStates),
    limit: integer("--limit <n>", "how many", { min: 1, max: limits.listMax }),
    all: flag("--all", "all of them"),
    cursor: text("--cursor <cursor>", "go on after a page: its next_cursor"),
  },
  examples: [
    ["belfry delivery list", "the newest"],
    ["belfry delivery list --channel Ops --state failed", "what did not arrive"],
  ],
  run: async ({ connect, options, out }) => {
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
        ? "Nothing was sent yet. Say what to send: belfry notify set"
        : "No such deliveries";
    await out.list(page, { plural: "notification_deliveries", isWhole, columns: deliveryColumns, empty });
  },
});
