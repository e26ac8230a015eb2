import { formatInstant, type Instant } from "../../kernel/time/time.ts";

/** The equal parts of a period. The last one may be shorter. */
export interface Buckets {
  readonly from: Instant;
  readonly until: Instant;
  readonly width: number;
  /** Where a part begins; the one after the last part is the end of the period. */
  readonly boundOf: (place: number) => string;
  /** The part that has a time, or the first one for an earlier time. */
  readonly placeOf: (at: Instant) => number;
}

/** Divides a period into at most so many parts. Their bounds are written once for all rows. */
export function createBuckets(from: Instant, until: Instant, count: number): Buckets {
  const width = Math.ceil((until - from) / count);
  const bounds: string[] = [];
  const boundOf = (place: number): string => (bounds[place] ??= formatInstant(Math.min(from + place * width, until)));
  const placeOf = (at: Instant): number => Math.max(0, Math.floor((at - from) / width));
  return { from, until, width, boundOf, placeOf };
}
