import type { Chain, ChainGraph } from "@belfry/client";
import { type NameOf, taskRef } from "../find/task-names.ts";
import { printable } from "../output/width.ts";
import { targetOf } from "./chain.ts";

interface TreeStyle {
  readonly paint: (paint: "dim", text: string) => string;
  readonly nameOf: NameOf;
}

/**
 * Draws a tree for each task that no chain starts. A task that several chains start appears below each source; its own
 * targets are drawn only the first time.
 */
export function renderChainTree(graph: ChainGraph, { paint, nameOf }: TreeStyle): string {
  const bySource = Map.groupBy(graph.chains, (chain) => chain.source_task_id);
  const drawn = new Set<string>();
  const lines: string[] = [];
  for (const task of graph.tasks) {
    if (task.level > 0) continue;
    lines.push(printable(nameOf(taskRef(task))));
    // a stack instead of recursion, because a path can have thousands of tasks
    const pending = branchesOf(task.task_id, "").reverse();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { chain, indent, isLast } = next;
      const isAgain = drawn.has(chain.target_task_id) && bySource.has(chain.target_task_id);
      drawn.add(chain.target_task_id);
      lines.push(
        `${paint("dim", `${indent}${isLast ? "└─" : "├─"}`)} ${labelOf(chain)}${isAgain ? paint("dim", " (see above)") : ""}`,
      );
      if (!isAgain) pending.push(...branchesOf(chain.target_task_id, `${indent}${isLast ? "   " : "│  "}`).reverse());
    }
  }
  return `${lines.join("\n")}\n`;

  function branchesOf(taskId: string, indent: string) {
    const chains = bySource.get(taskId) ?? [];
    return chains.map((chain, index) => ({ chain, indent, isLast: index === chains.length - 1 }));
  }

  function labelOf(chain: Chain): string {
    const notes = [chain.delay === "0s" ? null : `${chain.delay} later`, chain.enabled ? null : "disabled"].filter(
      (note) => note !== null,
    );
    return `${chain.on_outcome} → ${printable(nameOf(targetOf(chain)))}${notes.length === 0 ? "" : paint("dim", ` (${notes.join(", ")})`)}`;
  }
}
