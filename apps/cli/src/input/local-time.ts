/** Year, month (1 to 12), day, hour, minute and second of a local time. A day beyond its month is in the next one. */
export type LocalTime = readonly [number, number, number, number, number, number];

/** What a local time means in a time zone. The clocks go forward over a gap, and show a repeated time twice. */
export type Resolved =
  | { readonly kind: "once"; readonly atMs: number }
  | { readonly kind: "twice"; readonly atMs: number; readonly laterMs: number }
  | { readonly kind: "gap"; readonly atMs: number; readonly fromText: string; readonly toText: string };

const dayMs = 86_400_000;

/** A time zone: that of an IANA name, or that of this machine. */
export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;

  /** Throws a RangeError for an unknown name. */
  constructor(name: string | null) {
    this.#format = new Intl.DateTimeFormat("en-US", {
      ...(name === null ? {} : { timeZone: name }),
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    this.name = this.#format.resolvedOptions().timeZone;
  }

  localAt(atMs: number): LocalTime {
    const parts = new Map(this.#format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const numberOf = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return [
      numberOf("year"),
      numberOf("month"),
      numberOf("day"),
      numberOf("hour"),
      numberOf("minute"),
      numberOf("second"),
    ];
  }

  resolve(local: LocalTime): Resolved {
    const asUtcMs = utcOf(local);
    const beforeMs = this.#offsetAt(asUtcMs - dayMs);
    const afterMs = this.#offsetAt(asUtcMs + dayMs);
    const found = [...new Set([asUtcMs - beforeMs, asUtcMs - afterMs])]
      .filter((atMs) => atMs + this.#offsetAt(atMs) === asUtcMs)
      .toSorted((one, other) => one - other);
    const [atMs, laterMs] = found;
    if (atMs === undefined) return this.#gapAround(asUtcMs, { beforeMs, afterMs });
    return laterMs === undefined ? { kind: "once", atMs } : { kind: "twice", atMs, laterMs };
  }

  /** `2026-12-01 03:00 +01:00`, which is read back without doubt. */
  print(atMs: number): string {
    const offset = this.#offsetAt(atMs) / 60_000;
    const size = Math.abs(offset);
    const digits = (value: number): string => String(Math.floor(value)).padStart(2, "0");
    return `${printLocal(atMs + offset * 60_000)} ${offset < 0 ? "-" : "+"}${digits(size / 60)}:${digits(size % 60)}`;
  }

  #offsetAt(atMs: number): number {
    const wholeMs = Math.floor(atMs / 1_000) * 1_000;
    return utcOf(this.localAt(wholeMs)) - wholeMs;
  }

  #gapAround(
    asUtcMs: number,
    { beforeMs, afterMs }: { readonly beforeMs: number; readonly afterMs: number },
  ): Resolved {
    let lastBefore = asUtcMs - dayMs;
    let atMs = asUtcMs + dayMs;
    while (atMs - lastBefore > 1_000) {
      const middle = Math.floor((lastBefore + atMs) / 2_000) * 1_000;
      if (this.#offsetAt(middle) === beforeMs) lastBefore = middle;
      else atMs = middle;
    }
    return { kind: "gap", atMs, fromText: printLocal(atMs + beforeMs), toText: printLocal(atMs + afterMs) };
  }
}

/** Whether the calendar has the day and the clock the time. */
export function isValidLocal([year, month, day, hour, minute, second]: LocalTime): boolean {
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
}

function utcOf([year, month, day, hour, minute, second]: LocalTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** `2026-12-01 03:00`, with seconds if there are any. */
function printLocal(asUtcMs: number): string {
  const [date = "", time = ""] = new Date(asUtcMs).toISOString().split("T");
  return `${date} ${time.slice(0, 8).replace(/:00$/, "")}`;
}
