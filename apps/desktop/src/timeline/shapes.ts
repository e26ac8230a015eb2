import type { Mark } from "./marks.ts";

/** The height of a row, and of the bars in it. Above the bars is a lane for crosses and for what was skipped. */
export const rowHeight = 32;
const top = 11;
const barHeight = 13;
const middle = top + barHeight / 2;
const laneMiddle = 5.5;
/** A failure reaches below other bars, so that it differs from them without its colour and without its cross. */
const failureHeight = barHeight + 5;

export type Layer =
  | "success"
  | "failure"
  | "crosses"
  | "running"
  | "waiting"
  | "cancelled"
  | "missed"
  | "skipped"
  | "attention"
  | "coming";
export const layersInOrder: readonly Layer[] = [
  "success",
  "waiting",
  "cancelled",
  "attention",
  "coming",
  "running",
  "missed",
  "failure",
  "skipped",
  "crosses",
];

/** One path for each layer: a row may have five hundred marks, and a path for each would be too many to draw. */
export function pathsOf(marks: readonly Mark[]): ReadonlyMap<Layer, string> {
  const parts = new Map<Layer, string[]>();
  const add = (layer: Layer, text: string): void => {
    const list = parts.get(layer);
    if (list === undefined) parts.set(layer, [text]);
    else list.push(text);
  };
  let lastCross = Number.NEGATIVE_INFINITY;
  for (const { kind, x, width, what } of marks) {
    const left = round(x);
    switch (kind) {
      case "success":
        add("success", bar(left, width));
        break;
      case "failure": {
        add("failure", bar(left, Math.max(width, 2), failureHeight));
        const centre = left + Math.min(width, 12) / 2;
        // crosses that lie on each other are a blot
        if (centre - lastCross >= 8) {
          add("crosses", `M${round(centre - 3.5)} ${laneMiddle - 3.5}l7 7m0 -7l-7 7`);
          lastCross = centre;
        }
        break;
      }
      case "running":
        add("running", bar(left, Math.max(width, 3)));
        break;
      case "queued":
        add("waiting", bar(left, Math.max(width, 6)));
        break;
      case "cancelled":
        add("cancelled", bar(left, Math.max(width, 4)));
        break;
      case "skipped":
        if (what.is === "bucket") add("skipped", `M${left} ${laneMiddle - 2}h${round(width)}v4h-${round(width)}z`);
        else add("skipped", circle(left, laneMiddle, 3));
        break;
      case "missed":
        add("missed", bar(left, width));
        break;
      case "coming":
        if (what.is === "coming") add("coming", circle(left, middle, 4));
        else add("coming", `M${left} ${middle - 3}h${round(Math.max(width, 2))}v6h-${round(Math.max(width, 2))}z`);
        break;
      default:
        add("attention", bar(left, width));
    }
  }
  return new Map([...parts].map(([layer, texts]) => [layer, texts.join("")]));
}

function bar(x: number, width: number, height = barHeight): string {
  const wide = round(width);
  return `M${x} ${top}h${wide}v${height}h-${wide}z`;
}

function circle(x: number, y: number, radius: number): string {
  return `M${round(x - radius)} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
