import { type Spread, spreadOf } from "./stats.ts";

/** One line of the results: the measurement, its baseline, and whether it meets its goal. */
export interface Result {
  readonly name: string;
  readonly baseline: string;
  readonly ours: string;
  readonly bare: string;
  readonly figure: string;
  readonly goal: string;
  readonly holds: boolean;
}

export interface Pairs {
  readonly name: string;
  readonly baseline: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Computes the ratio of each round by itself, because a drift of the machine's speed affects both sides of a round. */
export function ratioOf(pairs: Pairs): Result {
  const ratio = spreadOf(pairs.ours.map((value, round) => value / pairs.bare[round]!));
  const goal = pairs.atLeast === undefined ? `≤ ${pairs.atMost}` : `≥ ${pairs.atLeast}`;
  return {
    name: pairs.name,
    baseline: pairs.baseline,
    ours: `${show(spreadOf(pairs.ours))} ${pairs.unit}`,
    bare: `${show(spreadOf(pairs.bare))} ${pairs.unit}`,
    figure: `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`,
    goal,
    holds: pairs.atLeast === undefined ? ratio.median <= pairs.atMost! : ratio.median >= pairs.atLeast,
  };
}

export function show({ median, min, max }: Spread): string {
  const text = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
  return `${text(median)} (${text(min)}–${text(max)})`;
}
