/** Both bounds are included; an infinite bound is no bound. */
export interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** Writes `1 to 99 items` or `at most 1 item`. */
export function amountOf(unit: string, { minimum, maximum }: Bounds): string {
  const counted = (count: number): string => `${count} ${unit}${count === 1 ? "" : "s"}`;
  if (maximum === Infinity) return `at least ${counted(minimum)}`;
  if (minimum === maximum) return `exactly ${counted(maximum)}`;
  return minimum === 0 ? `at most ${counted(maximum)}` : `${minimum} to ${counted(maximum)}`;
}

/** Writes `a whole number from 1 to 99`. Leaves out a bound that every safe integer is within. */
export function numberBetween(noun: string, { minimum, maximum }: Bounds): string {
  const [hasMinimum, hasMaximum] = [minimum > Number.MIN_SAFE_INTEGER, maximum < Number.MAX_SAFE_INTEGER];
  if (hasMinimum && hasMaximum) return `${noun} from ${minimum} to ${maximum}`;
  if (hasMinimum) return `${noun} of at least ${minimum}`;
  return hasMaximum ? `${noun} of at most ${maximum}` : noun;
}
