import { formatLocal, type Instant, lastInstant } from "../../../kernel/time/time.ts";
import type { Occurrences } from "./occurrences.ts";
import { earliestLocalFrom, latestLocalBefore, type Zone, wideSpanAt } from "./zone.ts";

export interface OccurrenceDescription {
  /** `2026-03-08T03:00:00-04:00` */
  readonly local: string;
  readonly offset: string;
  readonly change: ClockChange | null;
}

/** How clocks changed at an instant, and by how much. */
export interface ClockChange {
  /**
   * `gap`: the instant replaces local times that clocks skipped. `overlap_first`, `overlap_second`: its local time
   * occurs twice.
   */
  readonly note: "gap" | "overlap_first" | "overlap_second";
  readonly shiftMs: number;
}

/** Describes an instant in local time, with the time zone transition that affects it. */
export function describeOccurrence(instant: Instant, zone: Zone, occurrences: Occurrences): OccurrenceDescription {
  const ofZone = zone.spanAt(instant).offsetMs;
  // UTC, if local clocks already show the year 10000, which RFC 3339 cannot write
  const offsetMs = instant + ofZone > lastInstant ? 0 : ofZone;
  const offset = formatOffset(offsetMs);
  const local = `${formatLocal(instant + offsetMs)}${offset}`;
  return { local, offset, change: occurrences.fillsGap(instant) ? gapAt(instant, zone) : overlapAt(instant, zone) };
}

function gapAt(instant: Instant, zone: Zone): ClockChange {
  const shiftMs = instant + zone.spanAt(instant).offsetMs - latestLocalBefore(zone, instant);
  return { note: "gap", shiftMs };
}

function overlapAt(instant: Instant, zone: Zone): ClockChange | null {
  const { from, until, offsetMs } = wideSpanAt(zone, instant);
  const local = instant + offsetMs;
  const [latestBefore, earliestAfter] = [latestLocalBefore(zone, from), earliestLocalFrom(zone, until)];
  if (local < latestBefore) return { note: "overlap_second", shiftMs: latestBefore - (from + offsetMs) };
  return local < earliestAfter ? null : { note: "overlap_first", shiftMs: until + offsetMs - earliestAfter };
}

/** Formats an offset: `-04:00`. The local mean time of a century ago had seconds, which are shown as ISO 8601 does. */
function formatOffset(offsetMs: number): string {
  const seconds = Math.abs(offsetMs) / 1000;
  const parts = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    ...(seconds % 60 === 0 ? [] : [seconds % 60]),
  ];
  return (offsetMs < 0 ? "-" : "+") + parts.map((part) => String(part).padStart(2, "0")).join(":");
}
