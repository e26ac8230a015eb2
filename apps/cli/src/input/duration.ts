import { durationMaxMs } from "@belfry/contract";

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

/** Parses `90s`, `1h30m`, `5min` or `2 hours` to milliseconds; null if the text is no duration. Each unit occurs once. */
export function readDuration(text: string): number | null {
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
  return used.size === 0 || ms > durationMaxMs ? null : Math.round(ms);
}
