import { usage } from "../failure.ts";
import { readDuration } from "./duration.ts";

/** The latest time that the API accepts. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Whether `2h` and `03:00` are in the past or in the future. */
export type Direction = "past" | "future";

/**
 * Parses a time to RFC 3339. Without an offset it is in the time zone of this machine: `2026-12-01 03:00`, `03:00`,
 * `8am`, `tomorrow 03:00`, `now`, `2h`, `2h ago`, `in 2h`.
 */
export function readTime(
  text: string,
  { nowMs, direction, option }: { readonly nowMs: number; readonly direction: Direction; readonly option: string },
): string {
  const trimmed = text.trim();
  const atMs = readRelative(trimmed, nowMs, direction) ?? readAbsolute(trimmed) ?? readLocal(trimmed, nowMs, direction);
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

function readLocal(text: string, nowMs: number, direction: Direction): number | null {
  const groups = text === "" ? undefined : local.exec(text)?.groups;
  if (groups === undefined) return null;
  const { date, day, hour, half, minute, second = "0" } = groups;
  const hours = readHour(hour, half?.toLowerCase());
  // a lone number is no time: 8 may be a day, an hour or a mistake
  if (hours === null || (hour !== undefined && minute === undefined && half === undefined)) return null;
  const clock = [hours, Number(minute ?? "0"), Number(second)] as const;
  if (date !== undefined) {
    const [year = 0, month = 0, dayOfMonth = 0] = date.split("-").map(Number);
    return atLocal([year, month - 1, dayOfMonth], clock);
  }
  const now = new Date(nowMs);
  const at = (offset: number) =>
    atLocal([now.getFullYear(), now.getMonth(), now.getDate() + offset], clock, { mayRoll: true });
  if (day !== undefined) return at(days[day.toLowerCase()]!);
  const today = at(0);
  if (today === null) return null;
  if (direction === "future") return today > nowMs ? today : at(1);
  return today <= nowMs ? today : at(-1);
}

/** `12am` is midnight, `12pm` noon. Null for an hour that a clock of twelve hours does not have. */
function readHour(hour = "0", half: string | undefined): number | null {
  const number = Number(hour);
  if (half === undefined) return number;
  if (number < 1 || number > 12) return null;
  return (number % 12) + (half === "pm" ? 12 : 0);
}

/** Null for a local time that does not exist: 31 February, or an hour that daylight saving time skips. */
function atLocal(
  [year, month, day]: readonly [number, number, number],
  [hour, minute, second]: readonly [number, number, number],
  { mayRoll = false } = {},
): number | null {
  const at = new Date(year, month, day, hour, minute, second);
  const isSameDay = mayRoll || (at.getMonth() === month && at.getDate() === day);
  return isSameDay && at.getHours() === hour && at.getMinutes() === minute && at.getSeconds() === second
    ? at.getTime()
    : null;
}
