import type { Instant } from "../../../kernel/time/time.ts";

interface Entry<T> {
  readonly at: Instant;
  readonly item: T;
}

/**
 * Creates a binary heap that returns the soonest item of many streams without sorting them all. Of equal items, the
 * lesser id comes first.
 */
export function createSoonestFirst<T extends { readonly id: string }>() {
  const heap: Entry<T>[] = [];
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };
  const isSooner = (a: number, b: number): boolean => {
    if (a >= heap.length) return false;
    const [one, other] = [heap[a]!, heap[b]!];
    return one.at < other.at || (one.at === other.at && one.item.id < other.item.id);
  };

  return {
    get soonestAt(): Instant | null {
      return heap[0]?.at ?? null;
    },
    add: (at: Instant, item: T): void => {
      heap.push({ at, item });
      for (let child = heap.length - 1; child > 0;) {
        const parent = (child - 1) >> 1;
        if (!isSooner(child, parent)) return;
        swap(child, parent);
        child = parent;
      }
    },
    take: (): Entry<T> | null => {
      if (heap.length === 0) return null;
      swap(0, heap.length - 1);
      const soonest = heap.pop()!;
      for (let parent = 0; ;) {
        const left = 2 * parent + 1;
        const child = isSooner(left + 1, left) ? left + 1 : left;
        if (!isSooner(child, parent)) return soonest;
        swap(child, parent);
        parent = child;
      }
    },
  };
}
