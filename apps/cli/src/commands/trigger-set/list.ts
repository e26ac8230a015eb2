import { defineCommand } from "../../command.ts";
import { defined } from "../../defined.ts";
import { findTask } from "../../find/task.ts";
import { text } from "../../options.ts";
import { triggerSetColumns } from "../../views/trigger-set.ts";

export const command = defineCommand({
  options: {
    task: text("--task <task>", "those that run this task"),
    name: text("--name <part>", "with this in the name"),
  },
  examples: [["belfry trigger-set list", "all sets"]],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const query = defined({
      target_task_id: options.task === undefined ? undefined : (await findTask(client, options.task)).id,
      q: options.name,
    });
    await out.list(await client.triggerSets.list(query), {
      plural: "trigger_sets",
      isWhole: true,
      columns: triggerSetColumns,
      empty:
        Object.keys(query).length === 0
          ? "No Trigger Sets. Add one: belfry trigger-set add Agents --task Deploy --count 12"
          : "No such Trigger Sets",
    });
  },
});
