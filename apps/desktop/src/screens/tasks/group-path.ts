import type { Group, Task } from "@belfry/client";

/** The names of a group and of those above it: `web / backup`. */
export function groupPath(id: string, groups: readonly Group[]): string {
  const names: string[] = [];
  const seen = new Set<string>();
  for (let group = groups.find((known) => known.id === id); group !== undefined && !seen.has(group.id);) {
    seen.add(group.id);
    names.unshift(group.name);
    const above = group.parent_id;
    group = groups.find((known) => known.id === above);
  }
  return names.join(" / ");
}

/** By groups and names, as in the timeline. A list that is read in parts keeps the daemon's order, so that no row jumps. */
export function inOrder(tasks: readonly Task[], groups: readonly Group[]): readonly Task[] {
  const placeOf = ({ group_id: id, group_name: group, name }: Task): string =>
    `${id === null ? "" : groupPath(id, groups) || group}\0${name}`;
  const places = new Map(tasks.map((task) => [task, placeOf(task)]));
  return tasks.toSorted((a, b) => places.get(a)!.localeCompare(places.get(b)!, "en", { numeric: true }));
}
