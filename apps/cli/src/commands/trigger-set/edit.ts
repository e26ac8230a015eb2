import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findTask } from "../../find/task.ts";
import { findTriggerSet } from "../../find/trigger-set.ts";
import { requireChange } from "../../input/require-change.ts";
import { text } from "../../options.ts";

export const command = defineLocalCommand({
  arguments: [argument.triggerSet],
  options: {
    name: text("--name <name>", "new name"),
    task: text("--task <task>", "new task of every member"),
  },
  details: "The keys and the names of the members stay unchanged.",
  examples: [["belfry trigger-set edit Agents --task Deploy2", "run another task with the same keys"]],
  run: async ({ connect, args: [typed], options, out }) => {
    requireChange(withoutUndefined({ name: options.name, task: options.task }), "trigger-set");
    const client = await connect();
    const set = await findTriggerSet(client, typed);
    const patch = withoutUndefined({
      name: options.name,
      target_task_id: options.task === undefined ? undefined : (await findTask(client, options.task)).id,
    });
    const changed = await client.triggerSets.update(set.id, patch, { ifMatch: set.revision });
    out.answer(changed, () => `Changed trigger set ${JSON.stringify(changed.name)}`);
  },
});
