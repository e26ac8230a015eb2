import { limits } from "@belfry/contract";
import { invariant } from "../../kernel/errors/invariant.ts";
import type { GroupRow } from "./table.ts";

type Find = (id: string) => GroupRow | undefined;

/** The group itself, then its parents, nearest first; bounded, because trees are. */
export function ancestryOf(groupId: string | null, find: Find): readonly GroupRow[] {
  const chain: GroupRow[] = [];
  for (let id = groupId; id !== null;) {
    const group = find(id);
    invariant(group !== undefined, `group ${id} has gone beneath its members`);
    chain.push(group);
    invariant(chain.length <= limits.groupDepthMax, `groups around ${id} are deeper than allowed`);
    id = group.parentId;
  }
  return chain;
}

/** What is wrong with placing a group of `height` levels below `parent`, or null. */
export function refusalOfPlace(
  groupId: string | null,
  parentChain: readonly GroupRow[],
  height: number,
): string | null {
  if (groupId !== null && parentChain.some((group) => group.id === groupId))
    return "a group cannot contain itself: choose another parent";
  if (parentChain.length + height > limits.groupDepthMax)
    return `groups can be nested at most ${limits.groupDepthMax} levels deep`;
  return null;
}
