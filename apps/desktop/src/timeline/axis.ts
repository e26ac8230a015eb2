import { formatClock, formatDay, formatExactClock, offsetMinutes } from "../data/words.ts";

/** The part of time that is drawn, and how wide. */
export interface Axis {
  readonly from: number;
  readonly until: number;
  readonly width: number;
}

export function xOf(at: number, { from, until, width }: Axis): number {
  return ((at - from) / (until - from)) * width;
}

export function timeAt(x: number, { from, until, width }: Axis): number {
  return from + (x / width) * (until - from);
}

export interface Tick {
  readonly at: number;
  readonly label: string;
  /** The first tick of a day. */
  readonly isDay: boolean;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  second,
  2 * second,
  5 * second,
  10 * second,
  15 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
];
const labelWidth = 72;

/** Round times of the zone's clocks, with room for a label each. */
export function ticksOf(axis: Axis, zone: string): readonly Tick[] {
  return ticksAt(stepOf(axis), { axis, zone });
}

function stepOf({ from, until, width }: Axis): number {
  const room = Math.max(1, Math.floor(width / labelWidth));
  return steps.find((length) => (until - from) / length <= room) ?? 7 * day;
}

interface Place {
  readonly axis: Axis;
  readonly zone: string;
}

function ticksAt(step: number, { axis, zone }: Place): readonly Tick[] {
  const ticks: Tick[] = [];
  const offset = (at: number): number => offsetMinutes(at, zone) * minute;
  // a tick is a multiple of the step on the wall clock, whatever the zone's offset is at that time
  for (let wall = Math.ceil((axis.from + offset(axis.from)) / step) * step; ; wall += step) {
    const at = wall - offset(wall - offset(axis.from));
    if (at > axis.until) return ticks;
    // clocks skip some times of the wall clock
    if (at < axis.from || at + offset(at) !== wall) continue;
    const isDay = wall % day === 0;
    ticks.push({ at, label: labelOf(at, { axis, zone }, { step, isDay }), isDay });
  }
}

function labelOf(
  at: number,
  place: Place,
  { step, isDay }: { readonly step: number; readonly isDay: boolean },
): string {
  if (isDay) return dayLabel(at, place);
  return step < minute ? formatExactClock(at, place.zone).slice(0, secondsLength) : formatClock(at, place.zone);
}

const secondsLength = "06:00:12".length;

/** Where there is little room, a day is named without its weekday. */
function dayLabel(at: number, { axis, zone }: Place): string {
  const label = formatDay(at, zone);
  return isNarrow(axis) ? label.slice(label.indexOf(" ") + 1) : label;
}

function isNarrow({ width }: Axis): boolean {
  return width < 400;
}

export interface Label {
  readonly at: number;
  readonly label: string;
  /** The middle of the label, which is that of its time if there is room. */
  readonly x: number;
}

export interface TickLabel extends Label {
  readonly isDay: boolean;
}

export interface ChangeLabel extends Label {
  /** The change in a sentence. */
  readonly text: string;
}

export interface Scale {
  readonly ticks: readonly Tick[];
  /** The labels of ticks that have room. */
  readonly labels: readonly TickLabel[];
  readonly changes: readonly ChangeLabel[];
  /** The middle of the label of now, which stands whole at the edges too; null where now is not in the picture. */
  readonly nowX: number | null;
}

const clockHalf = 18;
const secondsHalf = 28;
const dayHalf = 36;
const shortDayHalf = 24;
const nowHalf = 20;
const changeHalf = 24;
/** With fewer labels nobody can tell how long a part of the axis is. */
const labelsMin = 3;

/**
 * The ticks of an axis, and the labels that stand whole and apart beside that of now. On a narrow axis the ticks are
 * closer, so that enough of them have a label.
 */
export function scaleOf(axis: Axis, zone: string, nowX: number): Scale {
  const place = { axis, zone };
  const changes = clockChangesOf(axis, zone);
  const first = steps.indexOf(stepOf(axis));
  let best: Scale | null = null;
  for (let index = first; index >= Math.max(0, first - 2); index -= 1) {
    const scale = placeLabels(ticksAt(steps[index]!, place), { axis, nowX: labelOfNow(nowX, axis), changes });
    if (best === null || scale.labels.length > best.labels.length) best = scale;
    if (best.labels.length >= labelsMin) break;
  }
  return best!;
}

function labelOfNow(nowX: number, { width }: Axis): number | null {
  return nowX < 0 || nowX > width ? null : Math.max(nowHalf, Math.min(nowX, width - nowHalf));
}

interface Around {
  readonly axis: Axis;
  readonly nowX: number | null;
  readonly changes: readonly ClockChange[];
}

/**
 * A label is moved where it has no room at its place: that of an hour by very little, that of a day or of a change of the
 * clocks by more. Without room it is left out.
 */
function placeLabels(ticks: readonly Tick[], { axis, nowX, changes }: Around): Scale {
  const taken: (readonly [left: number, right: number])[] = nowX === null ? [] : [[nowX - nowHalf, nowX + nowHalf]];
  const takes = (x: number, half: number): boolean => {
    const [left, right] = [x - half, x + half];
    if (left < 0 || right > axis.width || taken.some(([from, until]) => left < until && right > from)) return false;
    taken.push([left, right]);
    return true;
  };
  const placeNear = (at: number, half: number, far = nowHalf + half): number | undefined => {
    const x = xOf(at, axis);
    const inside = Math.min(Math.max(x, half), axis.width - half);
    const beside = nowX === null ? inside : x < nowX ? nowX - nowHalf - half : nowX + nowHalf + half;
    const near = [x, inside, beside].filter((other) => Math.abs(other - x) <= far);
    return near.find((other) => takes(other, half));
  };
  const placedChanges = changes.flatMap((change) => {
    const x = placeNear(change.at, changeHalf);
    return x === undefined ? [] : [{ ...change, x }];
  });
  const labels: TickLabel[] = [];
  for (const tick of ticks) {
    const x = tick.isDay ? placeNear(tick.at, isNarrow(axis) ? shortDayHalf : dayHalf) : undefined;
    if (x !== undefined) labels.push({ ...tick, x });
  }
  for (const tick of ticks) {
    const half = tick.label.length === secondsLength ? secondsHalf : clockHalf;
    const x = tick.isDay ? undefined : placeNear(tick.at, half, half / 2);
    if (x !== undefined) labels.push({ ...tick, x });
  }
  return { ticks, labels: labels.toSorted((a, b) => a.at - b.at), changes: placedChanges, nowX };
}

export interface ClockChange {
  readonly at: number;
  /** By how much the clocks change: `+1 h`. */
  readonly label: string;
  readonly text: string;
}

/** The times at which the zone's clocks change. */
export function clockChangesOf({ from, until }: Axis, zone: string): readonly ClockChange[] {
  const changes: ClockChange[] = [];
  let before = offsetMinutes(from, zone);
  for (let at = from; at < until;) {
    const next = Math.min(until, at + 6 * hour);
    const after = offsetMinutes(next, zone);
    if (after !== before) {
      const forward = after > before;
      const minutes = Math.abs(after - before);
      const length = minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
      changes.push({
        at: changeBetween(at, next, zone),
        label: `${forward ? "+" : "−"}${length}`,
        text: `The clocks go ${forward ? "forward" : "back"} by ${length}`,
      });
      before = after;
    }
    at = next;
  }
  return changes;
}

function changeBetween(from: number, until: number, zone: string): number {
  const before = offsetMinutes(from, zone);
  let low = Math.floor(from / minute);
  let high = Math.ceil(until / minute);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMinutes(middle * minute, zone) === before) low = middle;
    else high = middle;
  }
  return high * minute;
}
