import { offsetMinutes } from "./words.ts";

const minute = 60_000;
const dayMs = 1_440 * minute;

/**
 * The moment of a time on the wall (`2026-11-23T06:00`, as an input has it) in a zone, or null if it is none. A time that
 * the clocks skip is as much later as they skip.
 */
export function momentOf(time: string, zone: string): number | null {
  const wall = Date.parse(`${time}Z`);
  if (Number.isNaN(wall)) return null;
  const [first, second] = candidates(wall, zone);
  const isSkipped = second + offsetMinutes(second, zone) * minute !== wall;
  return isSkipped ? Math.max(first, second) : second;
}

/**
 * The moments of a time on the wall by the offset of the same time in UTC, and by that of the first result, which is
 * right. The clocks skip the time if both differ from it: one is before their change, and one after it.
 */
function candidates(wall: number, zone: string): readonly [number, number] {
  const first = wall - offsetMinutes(wall, zone) * minute;
  return [first, wall - offsetMinutes(first, zone) * minute];
}

/** The first moment of a day (`2026-11-23`) in a zone, or null if there is no such day. */
export function startOfDay(date: string, zone: string): number | null {
  const wall = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(wall)) return null;
  const [first, second] = candidates(wall, zone);
  // a day whose midnight the clocks skip begins at their change
  return dateOf(second, zone) < date ? first : second;
}

/** The first moment after a day in a zone, or null if there is no such day. */
export function endOfDay(date: string, zone: string): number | null {
  return startOfDay(date, zone) === null ? null : startOfDay(laterDate(date, 1), zone);
}

/** The day of a moment in a zone: `2026-11-23`. */
export function dateOf(at: number, zone: string): string {
  return new Date(at + offsetMinutes(at, zone) * minute).toISOString().slice(0, 10);
}

/** The day so many days later. */
export function laterDate(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}
