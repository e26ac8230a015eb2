import { formatInstant, type Instant } from "../../kernel/time/time.ts";

/** The equal parts of a period. The last one may be shorter. */
export interface Buckets {
  readonly from: Instant;
  readonly until: Instant;
  readonly width: number;
  readonly view: (place: number) => { readonly from: string; readonly until: string };
}

/** Divides a period into at most so many parts. Their bounds are written once for all rows. */
export function createBuckets(from: Instant, until: Instant, count: number): Buckets {
  const width = Math.ceil((until - from) / count);
  const bounds: string[] = [];
  const bound = (place: number): string => (bounds[place] ??= formatInstant(Math.min(from + place * width, until)));
  return { from, until, width, view: (place) => ({ from: bound(place), until: bound(place + 1) }) };
}
