const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const pattern = /^(\d{1,15}(?:\.\d{1,9})?)(ms|s|m|h|d)$/;

/** A duration as text, such as `"90s"`: a number and a unit. */
export type DurationText = `${number}${keyof typeof unitMs}`;

/** The longest duration: a hundred years. Sums of instants and durations stay exact far beyond it. */
export const durationMaxMs = 36_525 * unitMs.d;

/**
 * Parses `"250ms"`, `"1.5s"` or `"90d"` to milliseconds; null if the text is not a duration (contract: Conventions).
 */
export function parseDuration(text: string): number | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const ms = Math.round(Number(match[1]) * unitMs[match[2] as keyof typeof unitMs]);
  return ms <= durationMaxMs ? ms : null;
}

/** Formats a duration in the largest unit that keeps the number whole: `90000` is `"90s"`, `3600000` is `"1h"`. */
export function formatDuration(ms: number): DurationText {
  for (const unit of ["d", "h", "m", "s"] as const) {
    if (ms !== 0 && ms % unitMs[unit] === 0) return `${ms / unitMs[unit]}${unit}`;
  }
  return ms === 0 ? "0s" : `${ms}ms`;
}
