import type { Agenda } from "@belfry/client";
import { dateOf, laterDate, startOfDay } from "../../data/dates.ts";
import { formatDay } from "../../data/words.ts";
import { type ClockChange, clockChangesOf } from "../../timeline/axis.ts";

export type Entry = Agenda["entries"][number];
export type Gap = Agenda["dst_gaps"][number];

/** How many days an agenda may have. */
export const spans = [1, 7, 31] as const;
export type DayCount = (typeof spans)[number];

export interface Period {
  readonly date: string;
  /** Null is now. */
  readonly from: number | null;
  /** The last moment of the day, which belongs to it. */
  readonly until: number;
}

/** The days of an agenda: the first one begins now if it is today. Each is collapsed by itself. */
export function periodsOf(
  from: string | undefined,
  { days, zone, today }: { readonly days: number; readonly zone: string; readonly today: string },
): readonly Period[] {
  const isDay = from !== undefined && startOfDay(from, zone) !== null;
  // days that are over have no coming runs
  const first = isDay && from > today ? from : today;
  return Array.from({ length: days }, (_, index) => {
    const date = laterDate(first, index);
    const until = startOfDay(laterDate(date, 1), zone)! - 1;
    return { date, from: date === today ? null : startOfDay(date, zone), until };
  });
}

/** Whether an agenda of all days has each time of this one: no series reaches into it, and nothing before its end was cut. */
export function isSaidBy(whole: Agenda, { from, until }: Period): boolean {
  const last = whole.entries.at(-1);
  if (!whole.complete && (last === undefined || Date.parse(last.at) <= until)) return false;
  return whole.entries.every(
    ({ at, last_at, count }) => count === 1 || Date.parse(at) > until || (from !== null && Date.parse(last_at) < from),
  );
}

/** What an agenda of all days has of one. A time that its jitter delays into the first day comes before all days. */
export function dayOf(whole: Agenda, { from, until }: Period): Agenda {
  const isFirst = from === null || from === Date.parse(whole.from);
  const isIn = ({ at }: { readonly at: string }): boolean =>
    (isFirst || Date.parse(at) >= from) && Date.parse(at) <= until;
  return {
    from: from === null ? whole.from : new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    entries: whole.entries.filter(isIn),
    unplanned: [],
    dst_gaps: whole.dst_gaps.filter(isIn),
    complete: true,
  };
}

/** One agenda of the days that are known of it. */
export function joinAgendas(whole: Agenda, days: readonly Agenda[]): Agenda {
  return {
    from: days[0]!.from,
    until: days.at(-1)!.until,
    // a time that its jitter delays beyond midnight is of both days
    entries: once(
      days.flatMap(({ entries }) => entries),
      (entry) => `${entry.schedule_id} ${entry.last_at}`,
    ),
    unplanned: once(
      [whole, ...days].flatMap(({ unplanned }) => unplanned),
      ({ schedule_id }) => schedule_id,
    ),
    dst_gaps: days.flatMap(({ dst_gaps }) => dst_gaps),
    complete: days.every(({ complete }) => complete),
  };
}

function once<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const found = new Map<string, T>();
  for (const one of all) if (!found.has(keyOf(one))) found.set(keyOf(one), one);
  return [...found.values()];
}

export type Happening =
  | { readonly is: "entry"; readonly at: number; readonly entry: Entry }
  | { readonly is: "gap"; readonly at: number; readonly gap: Gap }
  | { readonly is: "change"; readonly at: number; readonly change: ClockChange };

export interface Day {
  readonly date: string;
  readonly name: string;
  readonly happenings: readonly Happening[];
  /** How many runs are due, with each time of a collapsed entry; none for what keeps its place alone. */
  readonly runs: number;
}

/** What happens in an agenda, with the changes of a zone's clocks, by time. */
export function happeningsOf(agenda: Agenda, zone: string): readonly Happening[] {
  const axis = { from: Date.parse(agenda.from), until: Date.parse(agenda.until), width: 1 };
  const happenings: readonly Happening[] = [
    ...clockChangesOf(axis, zone).map((change) => ({ is: "change", at: change.at, change }) as const),
    ...agenda.entries.map((entry) => ({ is: "entry", at: Date.parse(entry.at), entry }) as const),
    ...agenda.dst_gaps
      .filter(({ runs_at }) => runs_at === null)
      .map((gap) => ({ is: "gap", at: Date.parse(gap.at), gap }) as const),
  ];
  return happenings.toSorted((one, other) => one.at - other.at);
}

/** Identifies a row while time passes: the begin of a series moves on, but its end stays. */
export function idOf(one: Happening): string {
  if (one.is === "change") return `change ${one.at}`;
  if (one.is === "gap") return `gap ${one.gap.schedule_id} ${one.at}`;
  return `${one.entry.schedule_id} ${one.entry.last_at}`;
}

/** The days on which something happens, in a zone. */
export function daysOf(
  happenings: readonly Happening[],
  zone: string,
  isGone: (one: Happening) => boolean = () => false,
): readonly Day[] {
  const byDate = Map.groupBy(happenings, ({ at }) => dateOf(at, zone));
  return [...byDate].map(([date, found]) => ({
    date,
    name: formatDay(found[0]!.at, zone),
    happenings: found,
    runs: found.reduce((sum, one) => sum + (one.is === "entry" && !isGone(one) ? one.entry.count : 0), 0),
  }));
}

/** What stands below each other: the name of each day, and what happens on it. */
export type Line =
  | { readonly is: "day"; readonly day: Day }
  | { readonly is: "happening"; readonly day: Day; readonly one: Happening; readonly place: number };

export function linesOf(days: readonly Day[]): readonly Line[] {
  return days.flatMap((day): readonly Line[] => [
    { is: "day", day },
    ...day.happenings.map((one, index): Line => ({ is: "happening", day, one, place: index + 1 })),
  ]);
}
