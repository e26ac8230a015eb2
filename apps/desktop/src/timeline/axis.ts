import { formatClock, formatDay, offsetMinutes } from "../data/words.ts";

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

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  minute,
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
  const room = Math.max(1, Math.floor(axis.width / labelWidth));
  const step = steps.find((length) => (axis.until - axis.from) / length <= room) ?? 7 * day;
  const ticks: Tick[] = [];
  const offset = (at: number): number => offsetMinutes(at, zone) * minute;
  // a tick is a multiple of the step on the wall clock, whatever the zone's offset is at that time
  for (let wall = Math.ceil((axis.from + offset(axis.from)) / step) * step; ; wall += step) {
    const at = wall - offset(wall - offset(axis.from));
    if (at > axis.until) return ticks;
    // clocks skip some times of the wall clock
    if (at < axis.from || at + offset(at) !== wall) continue;
    const isDay = wall % day === 0;
    ticks.push({ at, label: isDay ? formatDay(at, zone) : formatClock(at, zone), isDay });
  }
}

export interface TickLabel extends Tick {
  /** The middle of the label, which is that of its tick if there is room. */
  readonly x: number;
}

const clockHalf = 18;
const dayHalf = 36;
const nowHalf = 20;

/**
 * The labels that stand whole and apart beside that of now. A day is moved a little where it has no room at its tick. An
 * hour without room is left out.
 */
export function labelsOf(axis: Axis, zone: string, nowX: number): readonly TickLabel[] {
  const taken: (readonly [left: number, right: number])[] = [[nowX - nowHalf, nowX + nowHalf]];
  const placed: TickLabel[] = [];
  const place = (tick: Tick, x: number, half: number): boolean => {
    const [left, right] = [x - half, x + half];
    if (left < 0 || right > axis.width || taken.some(([from, until]) => left < until && right > from)) return false;
    taken.push([left, right]);
    placed.push({ ...tick, x });
    return true;
  };
  const ticks = ticksOf(axis, zone).map((tick) => ({ tick, x: xOf(tick.at, axis) }));
  for (const { tick, x } of ticks.filter(({ tick: { isDay } }) => isDay)) {
    const beside = x < nowX ? nowX - nowHalf - dayHalf : nowX + nowHalf + dayHalf;
    const inside = Math.min(Math.max(x, dayHalf), axis.width - dayHalf);
    const near = [x, inside, beside].filter((other) => Math.abs(other - x) <= nowHalf + dayHalf);
    void near.some((other) => place(tick, other, dayHalf));
  }
  for (const { tick, x } of ticks) if (!tick.isDay) place(tick, x, clockHalf);
  return placed.toSorted((a, b) => a.at - b.at);
}

export interface ClockChange {
  readonly at: number;
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
