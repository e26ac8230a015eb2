import { defineCommand } from "../../command.ts";
import { findTask } from "../../find/task.ts";
import { taskRef, disambiguateTasks } from "../../find/task-names.ts";
import { renderChainTree } from "../../views/chain-tree.ts";

export const command = defineCommand({
  arguments: [{ name: "task", summary: "show only the chains before and after this task", isOptional: true }],
  examples: [
    ["belfry chain graph", "draw all chains"],
    ["belfry chain graph Report", "draw the chains before and after Report"],
  ],
  run: async ({ connect, args: [typed], out }) => {
    const client = await connect();
    const task = typed === undefined ? null : await findTask(client, typed);
    const graph = await client.chains.graph(task === null ? {} : { task_id: task.id });
    if (graph.chains.length === 0 && !out.json) {
      return out.note(
        task === null
          ? "No chains yet. Add one with: belfry chain add SOURCE TARGET"
          : `Task ${JSON.stringify(task.name)} is not in any chain`,
      );
    }
    const nameOf = await disambiguateTasks(client, graph.tasks.map(taskRef), out);
    out.answer(graph, () => renderChainTree(graph, { paint: out.paint, nameOf }));
  },
});
