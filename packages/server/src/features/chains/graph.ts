interface Edge {
  readonly sourceTaskId: string;
  readonly targetTaskId: string;
}

/** Counts for each task the chains on the longest path to it. Stored chains form no cycle. */
export function levelsOf(edges: readonly Edge[]): ReadonlyMap<string, number> {
  const outgoing = Map.groupBy(edges, ({ sourceTaskId }) => sourceTaskId);
  const levels = new Map<string, number>();
  const unread = new Map<string, number>();
  for (const { sourceTaskId, targetTaskId } of edges) {
    levels.set(sourceTaskId, 0).set(targetTaskId, 0);
    unread.set(targetTaskId, (unread.get(targetTaskId) ?? 0) + 1);
  }
  const ready = [...levels.keys()].filter((id) => !unread.has(id));
  for (const id of ready) {
    for (const { targetTaskId } of outgoing.get(id) ?? []) {
      levels.set(targetTaskId, Math.max(levels.get(targetTaskId)!, levels.get(id)! + 1));
      const left = unread.get(targetTaskId)! - 1;
      unread.set(targetTaskId, left);
      if (left === 0) ready.push(targetTaskId);
    }
  }
  return levels;
}

/** Selects the chains before and after a task. */
export function edgesAround<E extends Edge>(edges: readonly E[], taskId: string): readonly E[] {
  const below = reach(
    taskId,
    Map.groupBy(edges, ({ sourceTaskId }) => sourceTaskId),
    ({ targetTaskId }) => targetTaskId,
  );
  const above = reach(
    taskId,
    Map.groupBy(edges, ({ targetTaskId }) => targetTaskId),
    ({ sourceTaskId }) => sourceTaskId,
  );
  return edges.filter(({ sourceTaskId, targetTaskId }) => below.has(sourceTaskId) || above.has(targetTaskId));
}

function reach<E extends Edge>(
  from: string,
  steps: ReadonlyMap<string, readonly E[]>,
  endOf: (edge: E) => string,
): ReadonlySet<string> {
  const seen = new Set([from]);
  // iterating over a set also visits values that are added meanwhile
  for (const id of seen) for (const edge of steps.get(id) ?? []) seen.add(endOf(edge));
  return seen;
}
