/** What part of time is looked at. Without `until` it moves with time, and a fourth of it lies in the future. */
export interface Range {
  readonly span: number;
  readonly until: number | null;
}

const hour = 3_600_000;
export const spans = { "1h": hour, "6h": 6 * hour, "24h": 24 * hour, "7d": 7 * 24 * hour } as const;
export type SpanName = keyof typeof spans;
export const spanNames = Object.keys(spans) as readonly SpanName[];
const shareOfFuture = 0.25;

export function viewOf({ span, until }: Range, now: number): { readonly from: number; readonly until: number } {
  const end = until ?? now + span * shareOfFuture;
  return { from: end - span, until: end };
}

/** Moves a range by a part of time; close to now it moves with time again. */
export function move(range: Range, by: number, now: number): Range {
  const until = viewOf(range, now).until + by;
  const live = now + range.span * shareOfFuture;
  return { span: range.span, until: Math.abs(until - live) < range.span / 100 ? null : until };
}

/** The part of time to ask the daemon for: more than is looked at, at round times, so that a move shows what is there. */
export function asked({ from, until }: { readonly from: number; readonly until: number }): {
  readonly from: string;
  readonly until: string;
} {
  const span = until - from;
  const step = Math.max(60_000, Math.round(span / 24 / 60_000) * 60_000);
  const wide = Math.min(span / 2, (30 * 24 * hour - span) / 2);
  const round = (at: number): string => new Date(Math.floor(at / step) * step).toISOString();
  return { from: round(from - wide), until: round(until + wide + step) };
}
