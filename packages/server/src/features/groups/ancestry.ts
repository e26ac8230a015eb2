import { limits } from "@belfry/contract";
import { invariant } from "../../kernel/errors/invariant.ts";
import type { GroupRow } from "./table.ts";

type Find = (id: string) => GroupRow | undefined;

/** Lists the group itself and then its parents, nearest first. The list is bounded, because the depth of trees is. */
export function ancestryOf(groupId: string | null, find: Find): readonly GroupRow[] {
  const chain: GroupRow[] = [];
  for (let id = groupId; id !== null;) {
    const group = find(id);
    invariant(group !== undefined, `group ${id} is missing, but other rows refer to it`);
    chain.push(group);
    invariant(chain.length <= limits.groupDepthMax, `groups above ${id} are nested deeper than allowed`);
    id = group.parentId;
  }
  return chain;
}

/** Returns why a group of `height` levels must not be placed below `parent`, or null. */
export function refusalOfPlace(
  groupId: string | null,
  parentChain: readonly GroupRow[],
  height: number,
): string | null {
  if (groupId !== null && parentChain.some((group) => group.id === groupId))
    return "a group cannot contain itself: choose another parent";
  if (parentChain.length + height > limits.groupDepthMax)
    return `groups can be nested at most ${limits.groupDepthMax} levels deep: choose a parent at a higher level`;
  return null;
}
