import { defineCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { findTask } from "../../find/task.ts";
import { flag, text } from "../../options.ts";
import { secretText } from "../../views/trigger.ts";

export const command = defineCommand({
  arguments: [{ name: "name", summary: "what to call it" }],
  options: {
    task: text("--task <task>", "the task it runs: its name, group/name or id"),
    disabled: flag("--disabled", "add it switched off"),
  },
  details: "Prints the key that fires it. Whoever has the key can run the task, and nothing else.",
  examples: [
    ['belfry trigger add "Deploy from CI" --task Deploy', "and hand the key to the CI's secrets"],
    ["belfry trigger add Nightly --task Backup --json | jq -r .key > nightly.key", "the key alone, into a file"],
  ],
  run: async ({ connect, args: [name], options, out }) => {
    if (options.task === undefined) throw usage("which task shall it run?", "Name it with --task <task>");
    const client = await connect();
    const task = await findTask(client, options.task);
    const made = await client.triggers.create({ name, target_task_id: task.id, enabled: options.disabled !== true });
    out.answer(
      made,
      () => `Added the trigger ${JSON.stringify(made.trigger.name)} (${made.trigger.id})\n${secretText(made)}`,
    );
  },
});
