import { parseDuration } from "@belfry/contract";
import { usage } from "../failure.ts";

/** The API knows no time beyond. */
const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Where a bare `2h` or `03:00` lies. */
export type Direction = "past" | "future";

/**
 * A time as people write it, to RFC 3339: with an offset as it is, else in the zone of this machine. `2026-12-01 03:00`,
 * `03:00`, `tomorrow 03:00`, `now`, `2h`, `2h ago`, `in 2h`.
 */
export function readTime(
  text: string,
  { nowMs, direction, option }: { readonly nowMs: number; readonly direction: Direction; readonly option: string },
): string {
  const words = text.trim();
  const instant = readRelative(words, nowMs, direction) ?? readAbsolute(words) ?? readLocal(words, nowMs, direction);
  if (instant !== null && !Number.isNaN(instant)) {
    if (instant < 0 || instant > lastInstant) throw usage(`${option} must be in the years 1970 to 9999`);
    return new Date(instant).toISOString();
  }
  throw usage(
    `${option}: ${JSON.stringify(text)} is no time here`,
    "Write 2026-12-01T03:00:00Z, 2026-12-01 03:00, tomorrow 03:00, 03:00, 2h ago, in 2h, or now",
  );
}

function readRelative(text: string, nowMs: number, direction: Direction): number | null {
  if (text === "now") return nowMs;
  const [, before = "", amount = "", after = ""] = /^(in |\+|-)?\s*([\d.]+[a-z]+)( ago)?$/.exec(text) ?? [];
  const ms = parseDuration(amount);
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
  /^(?:(?<date>\d{4}-\d{2}-\d{2})|(?<day>today|tomorrow|yesterday))?(?:(?:^|[T ]\s*)(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?)?$/;
const days: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

function readLocal(text: string, nowMs: number, direction: Direction): number | null {
  const groups = text === "" ? undefined : local.exec(text)?.groups;
  if (groups === undefined) return null;
  const { date, day, hour = "0", minute = "0", second = "0" } = groups;
  const clock = [Number(hour), Number(minute), Number(second)] as const;
  if (date !== undefined) {
    const [year = 0, month = 0, dayOfMonth = 0] = date.split("-").map(Number);
    return atLocal([year, month - 1, dayOfMonth], clock);
  }
  const now = new Date(nowMs);
  const at = (offset: number) =>
    atLocal([now.getFullYear(), now.getMonth(), now.getDate() + offset], clock, { mayRoll: true });
  if (day !== undefined) return at(days[day]!);
  const today = at(0);
  if (today === null) return null;
  if (direction === "future") return today > nowMs ? today : at(1);
  return today <= nowMs ? today : at(-1);
}

/** Null for what the calendar or the clock here does not have: 31 February, or an hour that daylight saving leaves out. */
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
