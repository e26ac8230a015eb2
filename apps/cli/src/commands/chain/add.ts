import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { chainOptions } from "../../definitions/chain-options.ts";
import { findTask } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { flag } from "../../options.ts";
import { chainText, tasksIn } from "../../views/chain.ts";

export const command = defineCommand({
  arguments: [
    { name: "source", summary: "task whose runs start the target: name, group/name or id" },
    { name: "target", summary: "task to start: name, group/name or id" },
  ],
  options: { ...chainOptions, disabled: flag("--disabled", "add the chain disabled") },
  details: "By default the target starts after each successful run of the source.",
  examples: [
    ["belfry chain add Load Report", "run Report after each successful run of Load"],
    ["belfry chain add Load Alert --on failure", "run Alert after each failed run of Load"],
    [
      "belfry chain add Load Cleanup --on any --delay 10m",
      "run Cleanup ten minutes after each run of Load, whatever its outcome",
    ],
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
    out.answer(chain, () => `Added chain ${chainText(chain, nameOf)} (${chain.id})`);
  },
});
