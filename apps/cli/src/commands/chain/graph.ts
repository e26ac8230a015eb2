import { defineCommand } from "../../command.ts";
import { findTask } from "../../find/task.ts";
import { taskRef, disambiguateTasks } from "../../find/task-names.ts";
import { renderChainTree } from "../../views/chain-tree.ts";

export const command = defineCommand({
  arguments: [{ name: "task", summary: "only what leads to it and where it leads", isOptional: true }],
  examples: [
    ["belfry chain graph", "what follows what"],
    ["belfry chain graph Report", "all that leads to Report, and what it leads to"],
  ],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const task = typed === undefined ? null : await findTask(client, typed);
    const graph = await client.chains.graph(task === null ? {} : { task_id: task.id });
    if (graph.chains.length === 0 && !out.json) {
      return out.note(
        task === null
          ? "No chains. Add one: belfry chain add Load Report"
          : `No chain leads to ${JSON.stringify(task.name)} or on from it`,
      );
    }
    const nameOf = await disambiguateTasks(client, graph.tasks.map(taskRef), out);
    out.answer(graph, () => renderChainTree(graph, { paint: out.paint, nameOf }));
  },
});
