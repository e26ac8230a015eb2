import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { chainOptions } from "../../definitions/chain-options.ts";
import { findTask } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { flag } from "../../options.ts";
import { chainText, tasksIn } from "../../views/chain.ts";

export const command = defineCommand({
  arguments: [
    { name: "source", summary: "the task to wait for: its name, group/name or id" },
    { name: "target", summary: "the task to start then" },
  ],
  options: { ...chainOptions, disabled: flag("--disabled", "add it switched off") },
  details: "Without --on the target follows each run of the source that succeeds.",
  examples: [
    ["belfry chain add Load Report", "Report follows each Load that succeeds"],
    ["belfry chain add Load Alert --on failure", "Alert follows each Load that fails"],
    ["belfry chain add Load Cleanup --on any --delay 10m", "whatever came of it, ten minutes later"],
  ],
  run: async ({ connect, args: [source, target], options, out }) => {
    const client = await connect();
    const chain = await client.chains.create({
      source_task_id: (await findTask(client, source)).id,
      target_task_id: (await findTask(client, target)).id,
      on_outcome: options.on ?? "success",
      enabled: options.disabled !== true,
      ...withoutUndefined({ delay: options.delay }),
    });
    const nameOf = await disambiguateTasks(client, tasksIn([chain]), out);
    out.answer(chain, () => `Added the chain ${chainText(chain, nameOf)} (${chain.id})`);
  },
});
