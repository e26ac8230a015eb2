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
