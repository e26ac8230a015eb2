import { defineCommand } from "../../command.ts";
import { emptyOfLocal } from "../../output/empty-list.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findTaskId } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { text } from "../../options.ts";
import { taskOf } from "../../views/trigger.ts";
import { triggerSetColumns } from "../../views/trigger-set.ts";

export const command = defineCommand({
  options: {
    task: text("--task <task>", "only sets that run this task (use the id for a deleted task)"),
    name: text("--name <part>", "only names that contain this text"),
  },
  examples: [["belfry trigger-set list", "list all trigger sets"]],
  run: async ({ connect, options, out, profile }) => {
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
          ? emptyOfLocal("trigger sets", "belfry trigger-set add Agents --task Deploy --count 12", profile())
          : "No trigger sets match",
    });
  },
});
