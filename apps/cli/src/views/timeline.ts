import type { Timeline } from "@belfry/client";
import { statesFromWorst } from "@belfry/contract";
import type { Paint } from "../output/paint.ts";
import { formatLocal } from "../output/time.ts";
import { printable, truncate, widthOf } from "../output/width.ts";

type Row = Timeline["rows"][number];
type Run = Extract<Row["past"], { readonly kind: "runs" }>["runs"][number];
type State = Run["state"];
type Mark = State | "missed" | "coming";

interface Style {
  /** The width of the terminal. */
  readonly columns: number;
  readonly paint: (paint: Paint, text: string) => string;
}

/** Each mark differs without its color too. */
const signs: Readonly<Record<Mark, readonly [sign: string, paint: Paint | null]>> = {
  failed: ["x", "bad"],
  cancelled: ["c", "warn"],
  cancelling: ["c", "warn"],
  running: [">", null],
  dispatching: [">", null],
  queued: ["~", "dim"],
  skipped: ["-", "warn"],
  succeeded: ["#", "good"],
  missed: ["?", "warn"],
  coming: ["o", "dim"],
};
const legend =
  "# succeeded   x failed   > running   ~ queued   c cancelled   - skipped   ? missed   o scheduled   | now";

/** From the mark that hides all others in its place to the one that all others hide. */
const marksFromWorst: readonly Mark[] = [...statesFromWorst, "missed", "coming"];

const nameMin = 8;
const plotMin = 20;

/** Draws one line for each task. A character is an equal part of the period, with the worst that is in it. */
export function drawTimeline(timeline: Timeline, { columns, paint }: Style): string {
  const titles = timeline.rows.map(titleOf);
  const widest = Math.max(nameMin, ...titles.map(widthOf));
  const nameWidth = Math.min(widest, Math.max(nameMin, Math.floor(columns / 3)));
  const plotWidth = Math.max(plotMin, columns - nameWidth - 1);
  const axis = createAxis(timeline, plotWidth);
  const indent = " ".repeat(nameWidth + 1);
  const lines = [`${indent}${paint("dim", axisText(timeline, axis))}`];
  for (const [index, row] of timeline.rows.entries()) {
    const title = truncate(titles[index]!, nameWidth);
    lines.push(`${title}${" ".repeat(nameWidth - widthOf(title))} ${drawRow(row, { axis, paint })}`);
  }
  return `${[...lines.map((line) => line.trimEnd()), "", legend].join("\n")}\n`;
}

/** The width of the part of a line that shows time, at most. */
export function plotColumns(columns: number): number {
  return Math.max(plotMin, columns - nameMin - 1);
}

function titleOf({ group_path: path, name }: Row): string {
  return printable(path === null ? name : `${path} / ${name}`);
}

interface Axis {
  readonly width: number;
  readonly nowMs: number;
  /** The place of now; outside of the line if the period is in the past or in the future. */
  readonly now: number;
  /** Returns the place of a time, the nearest one if the time is outside of the period. */
  readonly placeOf: (atMs: number) => number;
}

function createAxis({ from, until, now }: Timeline, width: number): Axis {
  const [fromMs, untilMs, nowMs] = [Date.parse(from), Date.parse(until), Date.parse(now)];
  const place = (atMs: number): number => Math.floor(((atMs - fromMs) / (untilMs - fromMs)) * width);
  return {
    width,
    nowMs,
    now: place(nowMs),
    placeOf: (atMs) => Math.min(Math.max(place(atMs), 0), width - 1),
  };
}

function axisText({ from, until }: Timeline, { width }: Axis): string {
  const [start, end] = [from, until].map((at) => formatLocal(at).slice(5, 16));
  return `${start}${" ".repeat(Math.max(1, width - 2 * start!.length))}${end}`;
}

function drawRow(row: Row, { axis, paint }: { readonly axis: Axis; readonly paint: Style["paint"] }): string {
  const places: (Mark | null)[] = Array.from({ length: axis.width }, () => null);
  const set = (mark: Mark, first: number, last: number): void => {
    for (let place = first; place <= last; place += 1) {
      const former = places[place] ?? null;
      if (former === null || marksFromWorst.indexOf(mark) < marksFromWorst.indexOf(former)) places[place] = mark;
    }
  };
  const { past, future } = row;
  for (const run of past.runs) {
    set(run.state, ...extentOf(run, axis));
    if (run.coalesced_from !== null)
      set("missed", axis.placeOf(Date.parse(run.coalesced_from)), axis.placeOf(Date.parse(run.scheduled_for)));
  }
  for (const { from, until, worst } of past.kind === "buckets" ? past.buckets : [])
    set(worst, axis.placeOf(Date.parse(from)), axis.placeOf(Date.parse(until) - 1));
  if (future.kind === "times") {
    for (const { at } of future.times) set("coming", axis.placeOf(Date.parse(at)), axis.placeOf(Date.parse(at)));
  } else {
    for (const { from, until } of future.buckets)
      set("coming", axis.placeOf(Date.parse(from)), axis.placeOf(Date.parse(until) - 1));
  }
  return places
    .map((mark, place) => {
      if (mark === null) return place === axis.now ? "|" : " ";
      const [sign, color] = signs[mark];
      return color === null ? sign : paint(color, sign);
    })
    .join("");
}

/** A skipped run is where it was scheduled. */
function extentOf(run: Run, { nowMs, placeOf }: Axis): [first: number, last: number] {
  const begin = Date.parse(run.started_at ?? (run.state === "skipped" ? run.scheduled_for : run.queued_at));
  const end = run.state === "skipped" ? begin : run.ended_at === null ? nowMs : Date.parse(run.ended_at);
  return [placeOf(begin), placeOf(Math.max(begin, end))];
}
