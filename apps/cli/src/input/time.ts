import { usage } from "../failure.ts";
import { readDuration } from "./duration.ts";
import { isValidLocal, type LocalTime, type Resolved, Zone } from "./local-time.ts";

/** The latest time that the API accepts. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Whether `2h` and `03:00` are in the past or in the future. */
export type Direction = "past" | "future";

export interface Reading {
  readonly nowMs: number;
  readonly direction: Direction;
  readonly option: string;
  /** The IANA name of the time zone of local times (default: the zone of this machine). */
  readonly zone?: string | null | undefined;
  /** Is told which one of two equal local times was chosen. */
  readonly note?: ((text: string) => void) | undefined;
}

/**
 * Parses a time to RFC 3339. Without an offset it is a local time: `2026-12-01 03:00`, `03:00`, `8am`,
 * `tomorrow 03:00`, `now`, `2h`, `2h ago`, `in 2h`.
 */
export function readTime(text: string, reading: Reading): string {
  const { nowMs, direction, option } = reading;
  const trimmed = text.trim();
  const atMs = readRelative(trimmed, nowMs, direction) ?? readAbsolute(trimmed) ?? readLocal(trimmed, reading);
  if (atMs !== null && !Number.isNaN(atMs)) {
    if (atMs < 0 || atMs > latestMs) throw usage(`${option} must be in the years 1970 to 9999`);
    return new Date(atMs).toISOString();
  }
  throw usage(
    `cannot parse ${JSON.stringify(text)} as a time for ${option}`,
    "Use 2026-12-01T03:00:00Z, 2026-12-01 03:00, tomorrow 03:00, 03:00, 8am, 2h ago, in 2h or now",
  );
}

function readRelative(text: string, nowMs: number, direction: Direction): number | null {
  if (text === "now") return nowMs;
  const [, before = "", amount = "", after = ""] = /^(in |\+|-)?\s*(\d.*?)( ago)?$/i.exec(text) ?? [];
  const ms = readDuration(amount);
  if (ms === null) return null;
  const isPast = before === "-" || after !== "" || (before === "" && direction === "past");
  return isPast ? nowMs - ms : nowMs + ms;
}

function readAbsolute(text: string): number | null {
  return /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(Z|[+-]\d{2}:?\d{2})$/i.test(text)
    ? Date.parse(text.replace(" ", "T").replace(/\s/g, ""))
    : null;
}

const local =
  /^(?:(?<date>\d{4}-\d{2}-\d{2})|(?<day>today|tomorrow|yesterday))?(?:(?:^|[T ]\s*)(?<hour>\d{1,2})(?::(?<minute>\d{2})(?::(?<second>\d{2}))?)?(?:\s*(?<half>am|pm))?)?$/i;
const days: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

function readLocal(text: string, reading: Reading): number | null {
  const groups = text === "" ? undefined : local.exec(text)?.groups;
  if (groups === undefined) return null;
  const { date, day, hour, half, minute, second = "0" } = groups;
  const hours = readHour(hour, half?.toLowerCase());
  // a lone number is no time: 8 may be a day, an hour or a mistake
  if (hours === null || (hour !== undefined && minute === undefined && half === undefined)) return null;
  const clock = [hours, Number(minute ?? "0"), Number(second)] as const;
  if (date !== undefined) {
    const [year = 0, month = 0, dayOfMonth = 0] = date.split("-").map(Number);
    const typed: LocalTime = [year, month, dayOfMonth, ...clock];
    return isValidLocal(typed) ? certainTime(text, openZone(text, reading).resolve(typed), reading) : null;
  }
  const { nowMs, direction } = reading;
  const zone = openZone(text, reading);
  const [year, month, dayOfMonth] = zone.localAt(nowMs);
  if (!isValidLocal([year, month, dayOfMonth, ...clock])) return null;
  const at = (offset: number): Resolved => zone.resolve([year, month, dayOfMonth + offset, ...clock]);
  if (day !== undefined) return certainTime(text, at(days[day.toLowerCase()]!), reading);
  const today = at(0);
  const isComing = today.atMs > nowMs;
  if (direction === "future") return certainTime(text, isComing ? today : at(1), reading);
  return certainTime(text, isComing ? at(-1) : today, reading);
}

function openZone(text: string, { zone = null, option }: Reading): Zone {
  try {
    return new Zone(zone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usage(
      `cannot read ${JSON.stringify(text)} for ${option}: the time zone ${JSON.stringify(zone)} is unknown`,
      "Use a name such as Europe/Berlin, or write the offset in the time, for example 2026-12-01T03:00:00+01:00",
    );
  }
}

/** The first of two equal local times. A local time that the clocks skip is refused. */
function certainTime(text: string, resolved: Resolved, reading: Reading): number {
  const { option, note } = reading;
  const typed = JSON.stringify(text);
  if (resolved.kind === "once") return resolved.atMs;
  const zone = openZone(text, reading);
  if (resolved.kind === "gap") {
    const { fromText: from, toText: to } = resolved;
    throw usage(
      `the time ${typed} for ${option} does not exist in ${zone.name}: the clocks go forward from ${from} to ${to}`,
      `Use "${to}" or a later time`,
    );
  }
  const [first, second] = [resolved.atMs, resolved.laterMs].map((atMs) => zone.print(atMs));
  note?.(
    `The time ${typed} for ${option} occurs twice in ${zone.name}, because the clocks go back. The first one is used: ${first}. To choose the second, use "${second}"`,
  );
  return resolved.atMs;
}

/** `12am` is midnight, `12pm` noon. Null for an hour that a clock of twelve hours does not have. */
function readHour(hour = "0", half: string | undefined): number | null {
  const number = Number(hour);
  if (half === undefined) return number;
  if (number < 1 || number > 12) return null;
  return (number % 12) + (half === "pm" ? 12 : 0);
}
