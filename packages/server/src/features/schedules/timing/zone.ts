// The rules of time zones come from the Temporal polyfill over the running Node's own data. Only this file may import it;
// Node will bring Temporal itself.
import { Temporal } from "temporal-polyfill";
import type { Instant } from "../../../kernel/time.ts";
import { dayMs } from "./civil-date.ts";
import { suggestZone } from "./nearest-zone.ts";
import { quote } from "./quote.ts";

/** A stretch of time, [from, until), in which a zone's clocks stay at one offset. Neighbours may have the same one. */
export interface Span {
  readonly from: Instant;
  readonly until: Instant;
  readonly offsetMs: number;
}

export interface Zone {
  readonly name: string;
  readonly spanAt: (instant: Instant) => Span;
}

/** Why a zone is refused: the message is for the person who wrote it. */
export class ZoneError extends Error {
  override readonly name = "ZoneError";
}

/** Rules are read a block at a time, and kept: finding a change of offset costs a hundred readings of the clock. */
const blockMs = 366 * dayMs;

/** Throws a `ZoneError` for a name that is not a zone's. */
export function openZone(zoneName: string): Zone {
  const name = canonicalZoneName(zoneName);
  const blocks = new Map<number, readonly Span[]>();
  const blockAt = (index: number): readonly Span[] => {
    const spans = blocks.get(index) ?? readSpans(name, index * blockMs, (index + 1) * blockMs);
    blocks.set(index, spans);
    return spans;
  };
  return { name, spanAt: (instant) => blockAt(Math.floor(instant / blockMs)).findLast(({ from }) => from <= instant)! };
}

/** The zone's name as IANA writes it, in whatever case it was given; an alias such as `US/Eastern` stays itself. */
export function canonicalZoneName(text: string): string {
  if (/^[+-]/.test(text)) {
    throw new ZoneError(
      `${quote(text)} is an offset, which knows no daylight saving; name a zone such as "Europe/Berlin"`,
    );
  }
  try {
    // Temporal would read the zone out of a whole timestamp too.
    if (/^[a-z][\w+-]*(\/[\w+-]+)*$/i.test(text)) return clockAt(text, 0).timeZoneId;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const suggestion = suggestZone(text);
  const hint = suggestion === null ? `names look like "Europe/Berlin"` : `did you mean ${quote(suggestion)}?`;
  throw new ZoneError(`${quote(text)} is not a known time zone; ${hint}`);
}

function clockAt(zoneName: string, instant: Instant): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zoneName);
}

function readSpans(name: string, start: Instant, end: Instant): Span[] {
  const spans: Span[] = [];
  for (let from = start; from < end; from = spans.at(-1)!.until) {
    const clock = clockAt(name, from);
    // It looks at least three years ahead: none found means none in this block.
    const change = clock.getTimeZoneTransition("next")?.epochMilliseconds ?? end;
    spans.push({ from, until: Math.min(change, end), offsetMs: clock.offsetNanoseconds / 1e6 });
  }
  return spans;
}

/** Clocks of one zone never differ by more: what lies further away does not share a local time. */
const overlapMaxMs = 2 * dayMs;

/** The latest local time that the zone's clocks showed before an instant, as if they showed UTC. */
export function latestLocalBefore(zone: Zone, instant: Instant): number {
  let latest = -Infinity;
  for (let until = instant; until > instant - overlapMaxMs;) {
    const span = zone.spanAt(until - 1);
    latest = Math.max(latest, until + span.offsetMs);
    until = span.from;
  }
  return latest;
}

/** The earliest local time that the zone's clocks show from an instant on. */
export function earliestLocalFrom(zone: Zone, instant: Instant): number {
  let earliest = Infinity;
  for (let from = instant; from < instant + overlapMaxMs;) {
    const span = zone.spanAt(from);
    earliest = Math.min(earliest, from + span.offsetMs);
    from = span.until;
  }
  return earliest;
}
