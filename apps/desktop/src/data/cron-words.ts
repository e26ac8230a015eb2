import { join } from "./count-names.ts";

const weekdays = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"] as const;
const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const shorthands: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** A cron expression as people say it, such as `every day at 03:00`; null for one that has no short form. */
export function cronWords(expression: string): string | null {
  const fields = (shorthands[expression] ?? expression).trim().toLowerCase().split(/\s+/);
  if (fields.length !== 5) return null;
  const [minute, hour, day, month, weekday] = fields as [string, string, string, string, string];
  const days = dayWords(day, month, weekday);
  if (days === null) return null;
  const isEveryDay = days === "every day";
  const often = oftenWords(minute, hour);
  if (often !== null) return isEveryDay ? often : `${often}, ${days}`;
  const times = timesOf(minute, hour);
  return times === null ? null : `${days} at ${join(times)}`;
}

/** `every 15 minutes`, `every hour at minute 5`, `every 2 hours at minute 0`. */
function oftenWords(minute: string, hour: string): string | null {
  if (hour === "*") {
    if (minute === "*" || minute === "*/1") return "every minute";
    const step = stepOf(minute, 60);
    if (step !== null) return `every ${step} minutes`;
    return isNumber(minute) ? `every hour at minute ${Number(minute)}` : null;
  }
  const step = stepOf(hour, 24);
  return step !== null && isNumber(minute) ? `every ${step} hours at minute ${Number(minute)}` : null;
}

const timesMax = 4;

function timesOf(minute: string, hour: string): readonly string[] | null {
  const hours = numbersOf(hour);
  const minutes = numbersOf(minute);
  if (hours === null || minutes === null || hours.length * minutes.length > timesMax) return null;
  return hours.flatMap((h) => minutes.map((m) => `${twoDigits(h)}:${twoDigits(m)}`));
}

function dayWords(day: string, month: string, weekday: string): string | null {
  // with both, cron runs on the days of either
  if (day !== "*" && weekday !== "*") return null;
  if (month !== "*") {
    const name = isNumber(month) ? months[Number(month) - 1] : months.find((one) => one.toLowerCase() === month);
    return name !== undefined && isNumber(day) ? `each year on ${Number(day)} ${name}` : null;
  }
  if (weekday !== "*") return weekdayWords(weekday);
  if (day === "*") return "every day";
  const days = numbersOf(day);
  return days === null || days.length > timesMax ? null : `each month on day ${join(days.map(String))}`;
}

function weekdayWords(field: string): string | null {
  if (field === "1-5" || field === "mon-fri") return "on weekdays";
  const days = field.split(",").map((part) => (isNumber(part) ? Number(part) % 7 : weekdayNames.indexOf(part)));
  if (days.some((day) => day < 0)) return null;
  return `on ${join(days.map((day) => weekdays[day]!))}`;
}

/** The step of a field that divides it evenly: others begin anew before they are over. */
function stepOf(field: string, size: number): number | null {
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1]);
  return step > 1 && step < size && size % step === 0 ? step : null;
}

function numbersOf(field: string): readonly number[] | null {
  const parts = field.split(",");
  return parts.every(isNumber) ? parts.map(Number) : null;
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
