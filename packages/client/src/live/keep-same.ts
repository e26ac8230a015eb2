interface Identified {
  readonly id: string;
}

/** Returns `after` with the objects of `before` where they have not changed, or `before` itself if nothing has. */
export function keepSame<T extends Identified>(before: readonly T[], after: readonly T[]): readonly T[] {
  const known = new Map(before.map((item) => [item.id, item]));
  const kept = after.map((item) => {
    const former = known.get(item.id);
    // the daemon writes the members of a resource always in the same order
    return former !== undefined && JSON.stringify(former) === JSON.stringify(item) ? former : item;
  });
  return kept.length === before.length && kept.every((item, index) => item === before[index]) ? before : kept;
}
