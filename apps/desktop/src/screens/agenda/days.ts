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

/** The days of an agenda: the first one begins now if it is today. Each is asked for by itself, and collapsed by itself. */
export function periodsOf(
  from: string | undefined,
  { days, zone, now }: { readonly days: number; readonly zone: string; readonly now: number },
): readonly Period[] {
  const today = dateOf(now, zone);
  const isDay = from !== undefined && startOfDay(from, zone) !== null;
  // days that are over have no coming runs
  const first = isDay && from > today ? from : today;
  return Array.from({ length: days }, (_, index) => {
    const date = laterDate(first, index);
    const until = startOfDay(laterDate(date, 1), zone)! - 1;
    return { date, from: date === today ? null : startOfDay(date, zone), until };
  });
}

/** One agenda from those of its days. */
export function joinAgendas(agendas: readonly Agenda[]): Agenda {
  const unplanned = new Map(
    agendas.flatMap((agenda) => agenda.unplanned.map((one) => [one.schedule_id, one] as const)),
  );
  return {
    from: agendas[0]!.from,
    until: agendas.at(-1)!.until,
    entries: agendas.flatMap(({ entries }) => entries),
    unplanned: [...unplanned.values()],
    dst_gaps: agendas.flatMap(({ dst_gaps }) => dst_gaps),
    complete: agendas.every(({ complete }) => complete),
  };
}

export type Happening =
  | { readonly is: "entry"; readonly at: number; readonly entry: Entry }
  | { readonly is: "gap"; readonly at: number; readonly gap: Gap }
  | { readonly is: "change"; readonly at: number; readonly change: ClockChange };

export interface Day {
  readonly date: string;
  readonly name: string;
  readonly happenings: readonly Happening[];
  /** How many runs are due, with each time of a collapsed entry. */
  readonly runs: number;
}

/** What happens on each day of an agenda in a zone, with the changes of its clocks. Days without anything are left out. */
export function daysOf(agenda: Agenda, zone: string): readonly Day[] {
  const axis = { from: Date.parse(agenda.from), until: Date.parse(agenda.until), width: 1 };
  const happenings: readonly Happening[] = [
    ...clockChangesOf(axis, zone).map((change) => ({ is: "change", at: change.at, change }) as const),
    ...agenda.entries.map((entry) => ({ is: "entry", at: Date.parse(entry.at), entry }) as const),
    ...agenda.dst_gaps
      .filter(({ runs_at }) => runs_at === null)
      .map((gap) => ({ is: "gap", at: Date.parse(gap.at), gap }) as const),
  ];
  const byDate = Map.groupBy(
    happenings.toSorted((one, other) => one.at - other.at),
    ({ at }) => dateOf(at, zone),
  );
  return [...byDate].map(([date, found]) => ({
    date,
    name: formatDay(found[0]!.at, zone),
    happenings: found,
    runs: found.reduce((sum, one) => sum + (one.is === "entry" ? one.entry.count : 0), 0),
  }));
}
