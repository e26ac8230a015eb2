/** The spread of one figure over several rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: percentile(sorted, 50), min: sorted[0]!, max: sorted.at(-1)! };
}

/** Returns a percentile of values in ascending order. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]!;
}

/** Alternates which side goes first, so that other load on the machine affects both sides alike. */
export function inTurn<TSide>(round: number, sides: readonly TSide[]): readonly TSide[] {
  return round % 2 === 0 ? sides : sides.toReversed();
}
