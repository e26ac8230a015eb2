import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findTask } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { text } from "../../options.ts";
import { chainColumns, tasksIn } from "../../views/chain.ts";

export const command = defineCommand({
  options: {
    source: text("--source <task>", "only chains whose source is this task"),
    target: text("--target <task>", "only chains whose target is this task"),
  },
  examples: [
    ["belfry chain list", "list all chains"],
    ["belfry chain list --target Report", "list the chains that start Report"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const query = withoutUndefined({
      source_task_id: options.source === undefined ? undefined : (await findTask(client, options.source)).id,
      target_task_id: options.target === undefined ? undefined : (await findTask(client, options.target)).id,
    });
    const empty =
      Object.keys(query).length === 0
        ? "No chains yet. Add one with: belfry chain add SOURCE TARGET"
        : "No chains match";
    await out.list(await client.chains.list(query), {
      plural: "chains",
      isWhole: true,
      columns: async (chains) => chainColumns(await disambiguateTasks(client, tasksIn(chains), out)),
      empty,
    });
  },
});
