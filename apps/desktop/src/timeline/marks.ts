import { runKind, runWord } from "../data/run-words.ts";
import type { StatusKind } from "../components/status.tsx";
import { count, formatClock, formatDay, formatDuration, formatTime } from "../data/words.ts";
import { type Axis, xOf } from "./axis.ts";
import type { TimelineRow, TimelineRun } from "./rows.ts";

/** Something drawn in a row. */
export interface Mark {
  readonly x: number;
  readonly width: number;
  readonly kind: StatusKind | "coming" | "missed";
  /** The mark in words. A row may have a thousand marks, and a person points at one: only its words are made. */
  readonly describe: () => string;
  /** `missed`: scheduled times without a run of their own. `bucket`: several runs, or several coming times, in one place. */
  readonly what:
    | { readonly is: "run"; readonly id: string }
    | { readonly is: "coming"; readonly at: number }
    | { readonly is: "missed"; readonly at: number }
    | { readonly is: "bucket"; readonly from: number; readonly until: number };
}

const widthMin = 2;
const gapWidthMin = 6;
/** The mark of a skipped run is wider than its time. */
const skippedHalf = 3;

/** The marks of a row, from left to right. */
export function marksOf(
  row: TimelineRow,
  options: { readonly axis: Axis; readonly now: number; readonly zone: string },
): readonly Mark[] {
  return [...pastMarks(row, options), ...futureMarks(row, options)];
}

function pastMarks({ past }: TimelineRow, options: Parameters<typeof marksOf>[1]): readonly Mark[] {
  const marksOfRuns = (runs: readonly TimelineRun[]) => runs.map((run) => markOf(run, options));
  const gaps = past.runs.flatMap((run) => gapOf(run, options) ?? []);
  if (past.kind === "runs") return [...gaps, ...marksOfRuns(past.runs)];
  const { axis, now, zone } = options;
  const counted = past.buckets.map(({ from, until, count: ended, worst }): Mark => {
    const x = xOf(Date.parse(from), axis);
    return {
      x,
      // the last bucket may reach beyond now
      width: Math.max(widthMin, xOf(Math.min(now, Date.parse(until)), axis) - x),
      kind: runKind(worst),
      describe: () =>
        `${count(ended, "run")} from ${formatTime(Date.parse(from), zone)}; the worst: ${runWord(worst).toLowerCase()}`,
      what: { is: "bucket", from: Date.parse(from), until: Date.parse(until) },
    };
  });
  // a run that lasted through a gap hides no failure that is counted elsewhere
  const [ended, unfinished] = [true, false].map((isEnded) =>
    marksOfRuns(past.runs.filter((run) => (run.ended_at !== null) === isEnded)),
  );
  return [...ended!, ...counted, ...gaps, ...unfinished!];
}

function markOf(run: TimelineRun, { axis, now, zone }: Parameters<typeof marksOf>[1]): Mark {
  const from = Date.parse(beginOf(run));
  const until = run.ended_at === null ? now : Date.parse(run.ended_at);
  const x = xOf(from, axis);
  // a skipped run has a time, and no length
  const width = run.state === "skipped" ? 0 : xOf(Math.max(from, until), axis) - x;
  return {
    x,
    width: Math.max(widthMin, width),
    kind: runKind(run.state),
    describe: () => describeRun(run, zone),
    what: { is: "run", id: run.id },
  };
}

/** The gap that a run stands for: it ends where the run was scheduled, and is never too thin to see. */
function gapOf(run: TimelineRun, { axis, zone }: Parameters<typeof marksOf>[1]): Mark | null {
  const text = missedTextOf(run, zone);
  if (text === null) return null;
  const at = Date.parse(run.coalesced_from!);
  const until = xOf(Date.parse(run.scheduled_for), axis);
  const width = Math.max(gapWidthMin, until - xOf(at, axis));
  return { x: until - width, width, kind: "missed", describe: () => text(), what: { is: "missed", at } };
}

function futureMarks({ future }: TimelineRow, { axis, zone }: Parameters<typeof marksOf>[1]): readonly Mark[] {
  if (future.kind === "times")
    return future.times.map(({ at }) => ({
      x: xOf(Date.parse(at), axis),
      width: 0,
      kind: "coming",
      describe: () => `Next: ${formatTime(Date.parse(at), zone)}`,
      what: { is: "coming", at: Date.parse(at) },
    }));
  return future.buckets.map(({ from, until, count: times }) => {
    const x = xOf(Date.parse(from), axis);
    return {
      x,
      width: Math.max(widthMin, xOf(Date.parse(until), axis) - x),
      kind: "coming",
      describe: () => `${count(times, "scheduled time")} from ${formatTime(Date.parse(from), zone)}`,
      what: { is: "bucket", from: Date.parse(from), until: Date.parse(until) },
    };
  });
}

function beginOf({ started_at, ended_at, queued_at, scheduled_for }: TimelineRun): string {
  return started_at ?? (ended_at === null ? queued_at : scheduled_for);
}

/** A run in words, with the times that it stands for. */
export function describeRun(run: TimelineRun, zone: string): string {
  const missed = missedTextOf(run, zone);
  return missed === null ? describeOwn(run, zone) : `${describeOwn(run, zone)}. ${missed()}`;
}

function describeOwn(run: TimelineRun, zone: string): string {
  const begin = Date.parse(beginOf(run));
  const at = formatTime(begin, zone);
  if (run.state === "skipped") return `Skipped at ${at}`;
  if (run.state === "queued") return `Queued since ${at}`;
  if (run.ended_at === null) return `${runWord(run.state)} since ${at}`;
  return `${runWord(run.state)} after ${formatDuration(Date.parse(run.ended_at) - begin)}, started ${at}`;
}

/** Says which times had no run of their own; null where there are none. */
function missedTextOf(run: TimelineRun, zone: string): (() => string) | null {
  const { coalesced, coalesced_from: from, scheduled_for: until, state } = run;
  if (from === null || !(coalesced > 0)) return null;
  return () => {
    const ends = [Date.parse(from), Date.parse(until)] as const;
    const isOneDay = formatDay(ends[0], zone) === formatDay(ends[1], zone);
    const [first, last] = ends.map((at) => `${isOneDay ? "" : `${formatDay(at, zone)}, `}${formatClock(at, zone)}`);
    if (state === "skipped") return `${coalesced + 1} times were skipped, from ${first} to ${last}`;
    const times = `${count(coalesced, "time")} ${coalesced === 1 ? "was" : "were"} missed from ${first} on`;
    return `${times}; the run at ${last} makes up for ${coalesced === 1 ? "it" : "them"}`;
  };
}

/**
 * The mark at a place, or the nearest within `reach` pixels. A failure wins over what it lies on, and a mark without a
 * length over a bar.
 */
export function markAt(marks: readonly Mark[], x: number, reach = 6): Mark | null {
  let best: Mark | null = null;
  let bestApart = Number.POSITIVE_INFINITY;
  for (const mark of marks) {
    const half = mark.kind === "skipped" ? skippedHalf : 0;
    const apart = Math.max(0, mark.x - half - x, x - half - mark.x - mark.width);
    if (apart > reach || apart > bestApart) continue;
    if (apart === bestApart && best !== null && rankOf(best) > rankOf(mark)) continue;
    best = mark;
    bestApart = apart;
  }
  return best;
}

function rankOf({ kind }: Mark): number {
  return kind === "failure" ? 2 : kind === "skipped" || kind === "missed" ? 1 : 0;
}
