import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findTaskId } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { flag, text } from "../../options.ts";
import { taskOf, triggerColumns } from "../../views/trigger.ts";

export const command = defineCommand({
  options: {
    task: text("--task <task>", "those that run this task; one that is gone by its id"),
    name: text("--name <part>", "with this in the name"),
    enabled: flag("--enabled", "enabled ones"),
    disabled: flag("--disabled", "disabled ones"),
  },
  examples: [
    ["belfry trigger list", "all triggers, the members of sets among them"],
    ["belfry trigger list --task Deploy", "who can run a task"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const query = withoutUndefined({
      target_task_id: options.task === undefined ? undefined : await findTaskId(client, options.task),
      q: options.name,
      enabled: options.enabled === options.disabled ? undefined : options.enabled === true,
    });
    await out.list(await client.triggers.list(query), {
      plural: "triggers",
      isWhole: true,
      columns: async (triggers) => triggerColumns(await disambiguateTasks(client, triggers.map(taskOf), out)),
      empty:
        Object.keys(query).length === 0
          ? 'No triggers. Add one: belfry trigger add "Deploy from CI" --task Deploy'
          : "No such triggers",
    });
  },
});
