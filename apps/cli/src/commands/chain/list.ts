import { defineCommand } from "../../command.ts";
import { withoutUndefined } from "../../without-undefined.ts";
import { findTask } from "../../find/task.ts";
import { disambiguateTasks } from "../../find/task-names.ts";
import { text } from "../../options.ts";
import { chainColumns, tasksIn } from "../../views/chain.ts";

export const command = defineCommand({
  options: {
    source: text("--source <task>", "that wait for this task"),
    target: text("--target <task>", "that start this task"),
  },
  examples: [
    ["belfry chain list", "all chains"],
    ["belfry chain list --target Report", "what Report follows"],
  ],
  run: async ({ connect, options, out }) => {
    const client = await connect();
    const query = withoutUndefined({
      source_task_id: options.source === undefined ? undefined : (await findTask(client, options.source)).id,
      target_task_id: options.target === undefined ? undefined : (await findTask(client, options.target)).id,
    });
    const empty =
      Object.keys(query).length === 0 ? "No chains. Add one: belfry chain add Load Report" : "No such chains";
    await out.list(await client.chains.list(query), {
      plural: "chains",
      isWhole: true,
      columns: async (chains) => chainColumns(await disambiguateTasks(client, tasksIn(chains), out)),
      empty,
    });
  },
});
