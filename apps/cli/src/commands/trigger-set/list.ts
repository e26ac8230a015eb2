import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findTaskId } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { text } from "../../options.ts";
import { taskOf } from "../../views/trigger.ts";
import { triggerSetColumns } from "../../views/trigger-set.ts";

export const command = defineCommand({
  options: {
    task: text("--task <task>", "those that run this task; one that is gone by its id"),
    name: text("--name <part>", "with this in the name"),
  },
  examples: [["belfry trigger-set list", "all sets"]],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const query = withoutUndefined({
      target_task_id: options.task === undefined ? undefined : await findTaskId(client, options.task),
      q: options.name,
    });
    await out.list(await client.triggerSets.list(query), {
      plural: "trigger_sets",
      isWhole: true,
      columns: async (sets) => triggerSetColumns(await disambiguateTasks(client, sets.map(taskOf), out)),
      empty:
        Object.keys(query).length === 0
          ? "No Trigger Sets. Add one: belfry trigger-set add Agents --task Deploy --count 12"
          : "No such Trigger Sets",
    });
  },
});
