// The Temporal polyfill supplies the names of time zones, because `Intl` replaces an alias with another name. Their
// rules come from the running Node. Only this file may import the polyfill; a later Node has Temporal itself.
import { Temporal } from "temporal-polyfill";
import type { Instant } from "../../../kernel/time/time.ts";
import { dayMs } from "./civil-date.ts";
import { suggestZone } from "./nearest-zone.ts";
import { findChange, type OffsetAt, openOffsets } from "./offset-reader.ts";
import { quote } from "./quote.ts";

/**
 * A period in which a zone has one offset. It begins at `from` and ends before `until`. Adjacent spans may have the
 * same offset.
 */
export interface Span {
  readonly from: Instant;
  readonly until: Instant;
  readonly offsetMs: number;
}

export interface Zone {
  readonly name: string;
  readonly spanAt: (instant: Instant) => Span;
}

/** Why a time zone is invalid. The message is a predicate of the name, which it quotes first. */
export class ZoneError extends Error {
  override readonly name = "ZoneError";
}

/**
 * Offsets are read and cached in blocks. A block contains at most one transition: in the tz data they are at least a week
 * apart. Blocks are short, because a rare schedule needs only a few days of each of many years.
 */
const blockMs = 4 * dayMs;
const blocksKept = 20_000;

/** Opens a time zone; throws a `ZoneError` for an unknown name. */
export function openZone(zoneName: string): Zone {
  const name = canonicalZoneName(zoneName);
  return readZone(name, openOffsets(name));
}

export function readZone(name: string, offsetAt: OffsetAt): Zone {
  const edgeAt = keep((index) => offsetAt(index * blockMs));
  const likelyTimes = new Map<number, number>();
  const blockAt = keep((index): readonly Span[] => {
    const [from, until] = [index * blockMs, (index + 1) * blockMs];
    const [offsetMs, nextOffsetMs] = [edgeAt(index), edgeAt(index + 1)];
    if (offsetMs === nextOffsetMs) return [{ from, until, offsetMs }];
    const shiftMs = nextOffsetMs - offsetMs;
    const likelyTime = likelyTimes.get(shiftMs) ?? 0;
    const change = findChange(offsetAt, { from, until, before: offsetMs, likelyTime });
    likelyTimes.set(shiftMs, (change - from) % dayMs);
    const before = { from, until: change, offsetMs };
    return change === until ? [before] : [before, { from: change, until, offsetMs: nextOffsetMs }];
  });
  return { name, spanAt: (instant) => blockAt(Math.floor(instant / blockMs)).findLast(({ from }) => from <= instant)! };
}

/** Caches each block, and clears the cache when it is full. */
function keep<T>(read: (index: number) => T): (index: number) => T {
  const kept = new Map<number, T>();
  return (index) => {
    const known = kept.get(index);
    if (known !== undefined) return known;
    if (kept.size >= blocksKept) kept.clear();
    const value = read(index);
    kept.set(index, value);
    return value;
  };
}

/** Returns the IANA spelling of a zone's name, given in any case. An alias such as `US/Eastern` is kept. */
export function canonicalZoneName(text: string): string {
  if (/^[+-]/.test(text)) {
    throw new ZoneError(
      `${quote(text)} is an offset, which has no daylight saving rules: use a time zone such as "Europe/Berlin"`,
    );
  }
  try {
    // Temporal would read the zone out of a whole timestamp too.
    if (/^[a-z][\w+-]*(\/[\w+-]+)*$/i.test(text)) {
      return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const suggestion = suggestZone(text);
  const advice =
    suggestion === null ? `use an IANA name such as "Europe/Berlin"` : `did you mean ${quote(suggestion)}?`;
  throw new ZoneError(`${quote(text)} is not a known time zone: ${advice}`);
}

/** Two instants further apart than this never share a local time. */
const overlapMaxMs = 2 * dayMs;

/**
 * Returns the span around an instant, joined with its neighbours of the same offset. It is unbounded on a side where no
 * other offset is near enough to share a local time.
 */
export function wideSpanAt(zone: Zone, instant: Instant): Span {
  let { from, until, offsetMs } = zone.spanAt(instant);
  const [nearFrom, nearUntil] = [instant - overlapMaxMs, instant + overlapMaxMs];
  while (from > nearFrom && zone.spanAt(from - 1).offsetMs === offsetMs) from = zone.spanAt(from - 1).from;
  while (until < nearUntil && zone.spanAt(until).offsetMs === offsetMs) until = zone.spanAt(until).until;
  return { from: from > nearFrom ? from : -Infinity, until: until < nearUntil ? until : Infinity, offsetMs };
}

/** Returns the latest local time that the zone's clocks showed before an instant, as if they showed UTC. */
export function latestLocalBefore(zone: Zone, instant: Instant): number {
  let latest = -Infinity;
  for (let until = instant; until > instant - overlapMaxMs;) {
    const span = zone.spanAt(until - 1);
    latest = Math.max(latest, until + span.offsetMs);
    until = span.from;
  }
  return latest;
}

/** Returns the earliest local time that the zone's clocks show from an instant on. */
export function earliestLocalFrom(zone: Zone, instant: Instant): number {
  let earliest = Infinity;
  for (let from = instant; from < instant + overlapMaxMs;) {
    const span = zone.spanAt(from);
    earliest = Math.min(earliest, from + span.offsetMs);
    from = span.until;
  }
  return earliest;
}

/** Whether the zone's clocks go forward, and so skip local times, in (after, until]. */
export function goesForward(zone: Zone, after: Instant, until: Instant): boolean {
  for (let span = zone.spanAt(after); span.until <= until;) {
    const next = zone.spanAt(span.until);
    if (next.offsetMs > span.offsetMs) return true;
    span = next;
  }
  return false;
}
