import { defineLocalCommand } from "../../command.ts";
import { usage } from "../../failure.ts";
import { findFireSocket } from "../../find/fire-socket.ts";
import { findTask } from "../../find/task.ts";
import { flag, text } from "../../options.ts";
import { secretText } from "../../views/trigger.ts";

export const command = defineLocalCommand({
  arguments: [{ name: "name", summary: "name of the trigger" }],
  options: {
    task: text("--task <task>", "task that the trigger runs: name, group/name or id (required)"),
    disabled: flag("--disabled", "add the trigger disabled"),
  },
  details: "Prints the key of the trigger. Anyone with the key can run this task, and do nothing else.",
  examples: [
    [
      'belfry trigger add "Deploy from CI" --task Deploy',
      "add a trigger, and print its key, which you can store as a secret of your CI",
    ],
    ["belfry trigger add Nightly --task Backup --json | jq -r .key > nightly.key", "save only the key to a file"],
  ],
  run: async ({ connect, args: [name], options, out }) => {
    if (options.task === undefined) throw usage("missing --task: give the task that the trigger runs");
    const client = await connect();
    const task = await findTask(client, options.task);
    const fireSocket = await findFireSocket(client);
    const made = await client.triggers.create({ name, target_task_id: task.id, enabled: options.disabled !== true });
    out.answer(
      made,
      () =>
        `Added trigger ${JSON.stringify(made.trigger.name)} (${made.trigger.id})\n${secretText(made, { hint: out.hint, fireSocket })}`,
    );
  },
});
