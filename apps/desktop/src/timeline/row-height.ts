import { runKind } from "../data/run-words.ts";
import type { Line } from "./lines.ts";
import type { TimelineRow } from "./rows.ts";
import { failuresMax, isNamed, runsMax, timesMax } from "./table-words.ts";

const textHeight = 18.2;
/** What a character needs, in pixels. */
const characterWidth = 7.5;
const dayMs = 86_400_000;
/** How many characters the parts of a text have. */
const lengths = { exactTime: 30, clock: 7, day: 13, count: 14, failure: 38 };

export interface Space {
  /** Of the window, in pixels. */
  readonly width: number;
  /** The cells of a row stand below each other. */
  readonly isNarrow: boolean;
}

/**
 * The height in pixels that a line of the table probably needs, until it is measured: rather too much than too little,
 * because whoever jumps to the end of a page that then grows does not get there.
 */
export function estimateHeight(line: Line, { width, isNarrow }: Space): number {
  if (line.is === "heading") return textHeight + 9;
  const { past, future } = line.row;
  // a quarter of the page is for what comes next, and half of it for the runs
  const quarter = isNarrow ? width - 40 : (width - 280) / 4;
  const next = textsOf(lengthOfFuture(future), quarter);
  const runs = textsOfPast(past, isNarrow ? quarter : 2 * quarter);
  return (isNarrow ? 1 + runs + next : Math.max(2, runs, next)) * textHeight + (isNarrow ? 25 : 9);
}

function textsOf(length: number, width: number): number {
  return Math.ceil((length * characterWidth) / Math.max(100, width));
}

function textsOfPast(past: TimelineRow["past"], width: number): number {
  const listed = past.kind === "runs" ? past.runs : past.runs.filter(isNamed);
  const runs = Math.min(listed.length, runsMax + 1) * textsOf(2 * lengths.exactTime, width);
  if (past.kind === "runs") return Math.max(1, runs);
  const failed = past.buckets.filter(({ worst }) => runKind(worst) === "failure").length;
  return runs + textsOf(2 * lengths.count + Math.min(failed, failuresMax) * lengths.failure, width);
}

function lengthOfFuture(future: TimelineRow["future"]): number {
  if (future.kind === "buckets") return 2 * lengths.count + lengths.exactTime;
  const days = future.times.slice(0, timesMax).map(({ at }) => Math.floor(Date.parse(at) / dayMs));
  // in another zone, a day may begin between two more of them
  const changes = new Set(days).size;
  return lengths.exactTime + days.length * lengths.clock + changes * lengths.day + lengths.count;
}
