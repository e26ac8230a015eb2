import { invalid } from "../../kernel/errors.ts";

interface Keyed {
  readonly key: string;
  readonly parent_key: string | null;
}

/** The file's groups with their places in it, each after the group it lies in; what lies within itself is refused. */
export function parentsFirst<G extends Keyed>(
  groups: readonly G[],
): readonly { readonly group: G; readonly place: string }[] {
  const placed = new Set<string>();
  const own = new Set(groups.map(({ key }) => key));
  const ordered: { group: G; place: string }[] = [];
  let waiting = groups.map((group, index) => ({ group, place: `groups.${index}` }));
  while (waiting.length > 0) {
    // a parent that the file does not have is refused later, where the reference is read
    const ready = waiting.filter(
      ({ group }) => group.parent_key === null || placed.has(group.parent_key) || !own.has(group.parent_key),
    );
    if (ready.length === 0) throw invalid(`${waiting[0]!.place}.parent_key`, "these groups lie within each other");
    for (const item of ready) {
      placed.add(item.group.key);
      ordered.push(item);
    }
    waiting = waiting.filter((item) => !ready.includes(item));
  }
  return ordered;
}
