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

/**
 * By groups and names, as in the timeline: tasks in no group come first, and those of a group before those of its subgroups.
 * A list that is read in parts keeps the daemon's order, so that no row jumps.
 */
export function inOrder(tasks: readonly Task[], groups: readonly Group[]): readonly Task[] {
  const placeOf = ({ group_id: id, group_name: group, name }: Task): readonly string[] => [
    ...(id === null ? [] : (groupPath(id, groups) || (group ?? "")).split(" / ")),
    "",
    name,
  ];
  const places = new Map(tasks.map((task) => [task, placeOf(task)]));
  return tasks.toSorted((a, b) => comparePaths(places.get(a)!, places.get(b)!));
}

/** An empty name ends the path of a group: it is before the name of every subgroup. */
function comparePaths(one: readonly string[], other: readonly string[]): number {
  for (let index = 0; index < Math.min(one.length, other.length); index += 1) {
    const compared = compareNames(one[index]!, other[index]!);
    if (compared !== 0) return compared;
  }
  return one.length - other.length;
}

const names = new Intl.Collator("en", { numeric: true });

/** `Job 9` comes before `Job 10`. */
export function compareNames(one: string, other: string): number {
  return names.compare(one, other);
}
