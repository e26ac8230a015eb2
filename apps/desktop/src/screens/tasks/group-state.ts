import type { Group, Hold } from "@belfry/client";
import { describeReadiness, type Readiness } from "../../data/readiness-words.ts";

/** Why no task in a group starts, with what is set for the groups above it; null if nothing keeps them from it. */
export function describeGroup(
  group: Group,
  groups: readonly Group[],
  holds: readonly Pick<Hold, "group_id">[],
): Readiness | null {
  if (!group.enabled)
    return { kind: "off", word: "Disabled", text: "No task in the group or in its subgroups starts." };
  const path = [group];
  for (let above = parentOf(group, groups); above !== undefined && !path.includes(above);) {
    path.push(above);
    above = parentOf(above, groups);
  }
  const blocked = path.find(({ enabled }) => !enabled);
  if (blocked !== undefined)
    return { ...describeReadiness("group_blocked"), text: `The group ${blocked.name} above it is disabled.` };
  const isHeld = holds.some(({ group_id }) => group_id === null || path.some(({ id }) => id === group_id));
  return isHeld ? { ...describeReadiness("held"), text: "A hold keeps the tasks in the group from starting." } : null;
}

const parentOf = ({ parent_id }: Group, groups: readonly Group[]): Group | undefined =>
  groups.find(({ id }) => id === parent_id);
