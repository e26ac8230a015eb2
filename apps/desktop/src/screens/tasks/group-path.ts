import type { Group } from "@belfry/client";

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
