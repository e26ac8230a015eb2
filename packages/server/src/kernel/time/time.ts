/** An instant: milliseconds since 1970-01-01T00:00:00Z, as everywhere inside the server. This file owns the only `Date`. */
export type Instant = number;

/** The last instant that RFC 3339 can write. */
export const lastInstant: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * RFC 3339 in UTC with milliseconds, the only form the API speaks: `2026-11-21T01:18:00.123Z`. A sum that lies beyond the
 * years of the API is answered as the nearest instant within them.
 */
export function formatInstant(instant: Instant): string {
  // the instants of one answer are often of one second, or one and the same
  if (instant !== latest.instant) latest = { instant, text: toText(Math.min(Math.max(instant, 0), lastInstant)) };
  return latest.text;
}

/** What the clocks of a zone show, given as if they showed UTC; without its offset: `2026-03-08T02:30:00`. */
export function formatLocal(local: number): string {
  return toText(local).replace(/(\.000)?Z$/, "");
}

function toText(instant: Instant): string {
  return new Date(instant).toISOString();
}

let latest = { instant: 0, text: new Date(0).toISOString() };

export function formatInstantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** Reads what `formatInstant` writes and every RFC 3339 form that the contract's schema accepts. */
export function parseInstant(text: string): Instant {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw new RangeError(`not an instant: ${text}`);
  return instant;
}

export function readWallClock(): Instant {
  return Date.now();
}
