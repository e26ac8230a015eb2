import { durationMaxMs, formatDuration } from "@belfry/contract";

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
type Unit = keyof typeof unitMs;

const unitsByName: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ["ms", "ms", "msec", "msecs", "millisecond", "milliseconds"],
      ["s", "s", "sec", "secs", "second", "seconds"],
      ["m", "m", "min", "mins", "minute", "minutes"],
      ["h", "h", "hr", "hrs", "hour", "hours"],
      ["d", "d", "day", "days"],
      ["w", "w", "week", "weeks"],
    ] as const
  ).flatMap(([unit, ...names]) => names.map((name) => [name, unit] as const)),
);

const part = /(\d{1,15}(?:\.\d{1,9})?)\s*([a-z]+)\s*/giy;

/** Parses `90s`, `1h30m`, `5min` or `2 hours` to milliseconds; null if the text is no duration, or is too long. */
export function readDuration(text: string): number | null {
  const ms = sumOf(text);
  return ms === null || ms > durationMaxMs ? null : ms;
}

/** Why `readDuration` returns null. */
export function explainDuration(text: string, option: string): string {
  const ms = sumOf(text);
  return ms !== null && ms > durationMaxMs
    ? `duration ${JSON.stringify(text)} for ${option} is too long. Use at most ${formatDuration(durationMaxMs)}`
    : `invalid duration ${JSON.stringify(text)} for ${option}. Use numbers with ms, s, m, h, d or w, for example 90s, 1h30m or "2 hours"`;
}

/** Each unit occurs once. */
function sumOf(text: string): number | null {
  const trimmed = text.trim();
  const used = new Set<Unit>();
  let ms = 0;
  part.lastIndex = 0;
  while (part.lastIndex < trimmed.length) {
    const [, amount, name] = part.exec(trimmed) ?? [];
    const unit = unitsByName.get(name?.toLowerCase() ?? "");
    if (unit === undefined || used.has(unit)) return null;
    used.add(unit);
    ms += Number(amount) * unitMs[unit];
  }
  return used.size === 0 ? null : Math.round(ms);
}
