/** Milliseconds since 1970-01-01T00:00:00Z, as everywhere in the server. Only this file uses `Date`. */
export type Instant = number;

/** The last instant that RFC 3339 can write. */
export const lastInstant: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Formats an instant as RFC 3339 in UTC with milliseconds, the only form in the API: `2026-11-21T01:18:00.123Z`. An
 * instant beyond the years of the API becomes the nearest one within them.
 */
export function formatInstant(instant: Instant): string {
  // the instants of one response are often equal
  if (instant !== latest.instant) latest = { instant, text: toText(Math.min(Math.max(instant, 0), lastInstant)) };
  return latest.text;
}

/** Formats a zone's local time without its offset: `2026-03-08T02:30:00`. The local time is given as if it were UTC. */
export function formatLocal(local: number): string {
  return toText(local).replace(/(\.000)?Z$/, "");
}

/** Writes what `toISOString` does. Large answers have many instants of few days, and the library takes 5 times as long. */
function toText(instant: Instant): string {
  const day = Math.floor(instant / dayMs);
  if (day !== latestDay.day) {
    const text = new Date(day * dayMs).toISOString();
    latestDay = { day, text: text.slice(0, text.indexOf("T") + 1) };
  }
  const ms = Math.floor(instant) - day * dayMs;
  const minutes = Math.floor(ms / 60_000);
  const seconds = Math.floor((ms % 60_000) / 1_000);
  const rest = ms % 1_000;
  const zeros = rest < 10 ? "00" : rest < 100 ? "0" : "";
  return `${latestDay.text}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds]}.${zeros}${rest}Z`;
}

const dayMs = 86_400_000;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
let latestDay = { day: 0, text: "1970-01-01T" };

let latest = { instant: 0, text: new Date(0).toISOString() };

export function formatInstantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** Parses the form of `formatInstant` and every RFC 3339 form that the contract's schema accepts. */
export function parseInstant(text: string): Instant {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw new RangeError(`not an instant: ${text}`);
  return instant;
}

/** Makes the form of an instant that libraries expect. */
export function toDate(instant: Instant): Date {
  return new Date(instant);
}

export function readWallClock(): Instant {
  return Date.now();
}
