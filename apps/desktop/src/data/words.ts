/** How the screens write lengths, sizes, numbers and times. */

const lengths = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** A length in its two largest units: `1m 4s`. Below a second it has milliseconds. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toString()}s`;
  const first = lengths.findIndex(([, unit]) => ms >= unit);
  let rest = ms;
  const parts: string[] = [];
  for (const [name, unit] of lengths.slice(first, first + 2)) {
    const whole = Math.floor(rest / unit);
    rest -= whole * unit;
    if (whole > 0) parts.push(`${whole}${name}`);
  }
  return parts.join(" ");
}

/** A number of bytes: `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < units.length - 1) {
    value /= 1_024;
    unit++;
  }
  const rounded = unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${rounded} ${units[unit]}`;
}

/** `1 task`, `2 tasks`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
}

/** `3m ago`, `in 2h`; `now` within a second. */
export function formatRelative(at: number, now: number): string {
  const apart = Math.abs(at - now);
  if (apart < 1_000) return "now";
  const [name, unit] = lengths.find(([, size]) => apart >= size) ?? lengths[3];
  const length = `${Math.floor(apart / unit)}${name}`;
  return at < now ? `${length} ago` : `in ${length}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", ...options });
    formats.set(key, format);
  }
  return format;
}

/** The whole time: `Mon 23 Nov 2026, 06:00:00 CET`. */
export function formatTime(at: number, zone: string): string {
  return formatOf(zone, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  }).format(at);
}

/** `06:00`. */
export function formatClock(at: number, zone: string): string {
  return formatOf(zone, { hour: "2-digit", minute: "2-digit" }).format(at);
}

/** `06:00:12.345`. */
export function formatExactClock(at: number, zone: string): string {
  return formatOf(zone, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 }).format(
    at,
  );
}

/** `Mon 23 Nov`. */
export function formatDay(at: number, zone: string): string {
  return formatOf(zone, { weekday: "short", day: "numeric", month: "short" }).format(at);
}

/** The distance of a zone's clocks from UTC at a time, in minutes. */
export function offsetMinutes(at: number, zone: string): number {
  const name =
    formatOf(zone, { timeZoneName: "longOffset" })
      .formatToParts(at)
      .find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? [];
  if (sign === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Every zone that the browser knows, with UTC first. */
export function knownZones(): readonly string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}

/** Whether the browser knows the zone, also by another name than the one of the list. */
export function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
