/** Maps every item, with at most `countMax` calls at a time. The results are in the order of the items. */
export async function mapAtMost<T, R>(
  items: readonly T[],
  countMax: number,
  map: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const callNext = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await map(item);
  };
  await Promise.all(Array.from({ length: Math.min(countMax, items.length) }, callNext));
  return results;
}
