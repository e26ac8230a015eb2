/** `2026-11-22 03:00:00 +01:00`, in the time zone of this machine (TZ). */
export function formatLocal(timestamp: string | null): string {
  if (timestamp === null) return "-";
  const at = new Date(timestamp);
  const date = `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${date} ${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())} ${formatOffset(timestamp)}`;
}

/** `2026-11-22 03:00:00.123`, in the time zone of this machine. */
export function formatClock(timestamp: string): string {
  const [date, time] = formatLocal(timestamp).split(" ");
  return `${date} ${time}.${pad(new Date(timestamp).getMilliseconds(), 3)}`;
}

/** Converts the timestamps in a message of the daemon to the time zone of this machine. */
export function localize(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, formatLocal);
}

/** The UTC offset of this machine's time zone at that time: `+01:00`. */
export function formatOffset(timestamp: string): string {
  const minutes = -new Date(timestamp).getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

/** `in 5h`, `3m ago`: the two largest units, rounded down. */
export function formatRelative(timestamp: string, nowMs: number): string {
  const distanceMs = new Date(timestamp).getTime() - nowMs;
  const text = formatSpan(Math.abs(distanceMs));
  if (text === "0s") return "now";
  return distanceMs > 0 ? `in ${text}` : `${text} ago`;
}

/** `3h ago`, `now`: the largest unit, rounded down. */
export function formatAge(timestamp: string, nowMs: number): string {
  const [largest] = formatSpan(Math.max(0, nowMs - new Date(timestamp).getTime())).split(" ");
  return largest === "0s" ? "now" : `${largest} ago`;
}

const spans = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** `1d 2h`, `3m 5s`, `4s`. */
export function formatSpan(ms: number): string {
  const first = spans.findIndex(([, unitMs]) => ms >= unitMs);
  if (first < 0) return "0s";
  const [unit, unitMs] = spans[first]!;
  const rest = spans[first + 1];
  const more = rest === undefined ? 0 : Math.floor((ms % unitMs) / rest[1]);
  return `${Math.floor(ms / unitMs)}${unit}${more === 0 ? "" : ` ${more}${rest![0]}`}`;
}

/** The duration of a run: `87ms`, `1.2s`, `3m 5s`. */
export function formatElapsed(ms: number | null): string {
  if (ms === null) return "-";
  if (ms < 1_000) return `${ms}ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)}s` : formatSpan(ms);
}

/** `12 B`, `3.4 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  for (const unit of ["B", "KiB", "MiB", "GiB"]) {
    if (value < 1_024 || unit === "GiB")
      return `${unit === "B" || value >= 100 ? Math.round(value) : value.toFixed(1)} ${unit}`;
    value /= 1_024;
  }
  return `${bytes} B`;
}

function pad(value: number, digits = 2): string {
  return String(value).padStart(digits, "0");
}
