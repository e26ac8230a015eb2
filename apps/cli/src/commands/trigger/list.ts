import { defineCommand } from "../../command.ts";
import { emptyOfLocal } from "../../output/empty-list.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findTaskId } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { enabledFilter } from "../../input/enabled-filter.ts";
import { flag, text } from "../../options.ts";
import { taskOf, triggerColumns } from "../../views/trigger.ts";

export const command = defineCommand({
  options: {
    task: text("--task <task>", "only triggers that run this task (use the id for a deleted task)"),
    name: text("--name <part>", "only names that contain this text"),
    enabled: flag("--enabled", "only enabled triggers"),
    disabled: flag("--disabled", "only disabled triggers"),
  },
  examples: [
    ["belfry trigger list", "list all triggers, including members of trigger sets"],
    ["belfry trigger list --task Deploy", "list the triggers of one task"],
  ],
  run: async ({ connect, options, out, profile }) => {
    const client = await connect();
    const query = withoutUndefined({
      target_task_id: options.task === undefined ? undefined : await findTaskId(client, options.task),
      q: options.name,
      enabled: enabledFilter(options),
    });
    await out.list(await client.triggers.list(query), {
      plural: "triggers",
      isWhole: true,
      columns: async (triggers) => triggerColumns(await disambiguateTasks(client, triggers.map(taskOf), out)),
      empty:
        Object.keys(query).length === 0
          ? emptyOfLocal("triggers", 'belfry trigger add "Deploy from CI" --task Deploy', profile())
          : "No triggers match",
    });
  },
});
