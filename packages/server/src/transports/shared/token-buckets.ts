import type { Clock } from "../../kernel/time/clock.ts";

/** How fast a bucket fills, and how much it holds. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** More keys than one daemon has neighbours. Beyond it, the bucket that was unused for longest is forgotten. */
const keptMax = 10_000;
const secondMs = 1_000;

/** Counts requests by key. A bucket fills continuously, and each request takes one token from it. */
export function createTokenBuckets(clock: Pick<Clock, "monotonicMs">, max = keptMax) {
  /** In the order of their last use. */
  const buckets = new Map<string, Bucket>();

  return {
    /** Takes a token; returns whether there was one. */
    take: (key: string, { perSecond, burst }: Rate): boolean => {
      const atMs = clock.monotonicMs();
      const known = buckets.get(key);
      const filled =
        known === undefined ? burst : Math.min(burst, known.tokens + ((atMs - known.atMs) / secondMs) * perSecond);
      const hasToken = filled >= 1;
      buckets.delete(key);
      buckets.set(key, { tokens: hasToken ? filled - 1 : filled, atMs });
      if (buckets.size > max) buckets.delete(buckets.keys().next().value!);
      return hasToken;
    },
    size: (): number => buckets.size,
  };
}
