import { argument } from "../../arguments.ts";
import { defineLocalCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findTask } from "../../find/task.ts";
import { findTrigger } from "../../find/trigger.ts";
import { requireChange } from "../../input/require-change.ts";
import { text } from "../../options.ts";

export const command = defineLocalCommand({
  arguments: [argument.trigger],
  options: {
    name: text("--name <name>", "new name"),
    task: text("--task <task>", "new task"),
  },
  details: "The key stays unchanged. To change the task of a trigger set, use: belfry trigger-set edit",
  examples: [
    ['belfry trigger edit "Deploy from CI" --task Deploy2', "run another task with the same key"],
    ['belfry trigger edit "Agents 3" --name Berta', "rename a member of a trigger set"],
  ],
  run: async ({ connect, args: [typed], options, out }) => {
    requireChange(withoutUndefined({ name: options.name, task: options.task }), "trigger");
    const client = await connect();
    const trigger = await findTrigger(client, typed);
    const patch = withoutUndefined({
      name: options.name,
      target_task_id: options.task === undefined ? undefined : (await findTask(client, options.task)).id,
    });
    const changed = await client.triggers.update(trigger.id, patch, { ifMatch: trigger.revision });
    out.answer(changed, () => `Changed trigger ${JSON.stringify(changed.name)}`);
  },
});
