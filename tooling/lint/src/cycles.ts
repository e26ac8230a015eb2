/** Finds every import cycle. Each cycle is a list of its files in order, with the first one repeated at the end. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  const left = new Set<string>();
  const path: string[] = [];
  const enter = (file: string): void => {
    const seenAt = path.indexOf(file);
    if (seenAt !== -1) cycles.push([...path.slice(seenAt), file]);
    if (seenAt !== -1 || left.has(file)) return;
    path.push(file);
    for (const next of graph.get(file) ?? []) enter(next);
    path.pop();
    left.add(file);
  };
  for (const file of graph.keys()) enter(file);
  return cycles;
}
