import { formatDuration, type Chain, type ChainGraph } from "@belfry/contract";
import { formatInstant } from "../../kernel/time/time.ts";
import { levelsOf } from "./graph.ts";
import type { NamedChain } from "./store.ts";

export function viewChain(row: NamedChain): Chain {
  return {
    id: row.id,
    source_task_id: row.sourceTaskId,
    source_task_name: row.sourceTaskName,
    target_task_id: row.targetTaskId,
    target_task_name: row.targetTaskName,
    on_outcome: row.onOutcome,
    enabled: row.enabled,
    delay: formatDuration(row.delayMs),
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
    revision: row.revision,
  };
}

export function viewGraph(rows: readonly NamedChain[]): ChainGraph {
  const names = new Map(
    rows.flatMap((row) => [
      [row.sourceTaskId, row.sourceTaskName],
      [row.targetTaskId, row.targetTaskName],
    ]),
  );
  const tasks = [...levelsOf(rows)].map(([id, level]) => ({ task_id: id, task_name: names.get(id)!, level }));
  return {
    tasks: tasks.sort(
      (a, b) => a.level - b.level || compare(a.task_name, b.task_name) || compare(a.task_id, b.task_id),
    ),
    chains: rows.map(viewChain),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
