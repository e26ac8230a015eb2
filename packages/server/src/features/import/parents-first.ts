import { limits } from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";

interface Keyed {
  readonly key: string;
  readonly parent_key: string | null;
}

/**
 * Orders the file's groups so that each comes after its parent, and adds their paths in the file. It orders level by
 * level, so that a tree that is too deep is rejected early. Groups that contain each other are rejected too.
 */
export function parentsFirst<G extends Keyed>(
  groups: readonly G[],
): readonly { readonly group: G; readonly place: string }[] {
  const placed = new Set<string>();
  const own = new Set(groups.map(({ key }) => key));
  // a parent that is not in the file is rejected later, when its reference is read
  const levelOf = ({ group: { parent_key: parent } }: { readonly group: G }) =>
    parent === null || placed.has(parent) || !own.has(parent) ? "this" : "below";
  const ordered: { readonly group: G; readonly place: string }[] = [];
  let waiting = groups.map((group, index) => ({ group, place: `groups.${index}` }));
  for (let depth = 1; waiting.length > 0; depth++) {
    const levels = Object.groupBy(waiting, levelOf);
    const field = `${waiting[0]!.place}.parent_key`;
    if (levels.this === undefined) throw invalid(field, "these groups contain each other: change one of their parents");
    if (depth > limits.groupDepthMax)
      throw invalid(
        field,
        `groups can be nested at most ${limits.groupDepthMax} levels deep: choose a parent at a higher level`,
      );
    for (const { group } of levels.this) placed.add(group.key);
    ordered.push(...levels.this);
    waiting = levels.below ?? [];
  }
  return ordered;
}
