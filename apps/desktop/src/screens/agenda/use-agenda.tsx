import type { Agenda } from "@belfry/client";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Read, useRead } from "../../data/read.ts";
import { useSession } from "../../data/session.tsx";
import { dayOf, isSaidBy, joinAgendas, type Period } from "./days.ts";
import type { AgendaFilter } from "./left-out.tsx";

export interface AgendaOptions {
  readonly filter: AgendaFilter;
  readonly periods: readonly Period[];
  /** How many times of a day are shown. */
  readonly dayMax: number;
  /** Identifies what is asked for; days that pass by themselves make no other question. */
  readonly question: string;
}

export interface ShownAgenda {
  readonly agenda: Agenda;
  readonly question: string;
  /** There are later days, which are not read yet. */
  readonly hasMore: boolean;
}

/** What of the list is in the window. */
export interface Seen {
  /** The first and the last day; null where the list begins or ends there, also with days on which nothing happens. */
  readonly from: string | null;
  readonly until: string | null;
  /** The agenda whose end is near: what was seen of a former one says nothing about the days that came since. */
  readonly endOf: Agenda | null;
}

export interface AgendaRead extends Read<ShownAgenda> {
  readonly onSeen: (seen: Seen) => void;
  /** Reads days, and shows nothing. */
  readonly readers: ReactNode;
}

const minute = 60_000;
const wholeMax = 1_000;
/** So many days are read at once. */
const stepDays = 7;
/** Under a stream of events, a day is read this often at most. */
const pauseMs = 5_000;

/**
 * One answer about all days says which of them have series, such as an hourly schedule, and has each time of the others.
 * Days with series are read one by one, because the daemon collapses a whole answer: a week of them at first, more when the
 * end of the list is near, and again only while they are in the window.
 */
export function useAgenda({ filter, periods, dayMax, question }: AgendaOptions): AgendaRead {
  const { client } = useSession();
  const asked = askFor(filter, { from: periods[0]!.from, until: periods.at(-1)!.until, limit: wholeMax });
  const whole = useRead(["agenda", asked], (signal) => client.schedules.agenda(asked, { signal }), {
    kinds: ["schedule", "task", "group", "hold"],
    everyMs: minute,
  });
  const changedAt = usePaced(whole.data === null ? null : whole.readAt, pauseMs);
  const [seen, setSeen] = useState<Seen>(nothingSeen);
  const [wanted, setWanted] = useState({ of: question, days: stepDays });
  const wantedDays = wanted.of === question ? wanted.days : stepDays;
  const { reads, report } = useReports(question);
  const known = useRef<{ readonly of: string; readonly days: Map<string, Agenda> }>({ of: question, days: new Map() });
  const days = useMemo(() => {
    if (known.current.of !== question) known.current = { of: question, days: new Map() };
    return periods.map((period) => {
      const dayAsked = askFor(filter, { ...period, limit: dayMax });
      const key = JSON.stringify(dayAsked);
      const said = whole.data === null ? null : saidOf(whole.data, period, periods.length === 1);
      const own = reads.get(key) ?? null;
      // what was known of a day stays until more is known of it
      const agenda = said ?? own?.data ?? known.current.days.get(key) ?? null;
      if (agenda !== null) known.current.days.set(key, agenda);
      return { date: period.date, asked: dayAsked, key, isSaid: said !== null, own, agenda };
    });
  }, [filter, periods, dayMax, question, whole.data, reads]);
  const unknown = days.findIndex(({ agenda }) => agenda === null);
  const knownDays = unknown === -1 ? days.length : unknown;
  const shown = useMemo<ShownAgenda | null>(() => {
    if (whole.data === null || knownDays === 0) return null;
    const agenda = joinAgendas(
      whole.data,
      days.slice(0, knownDays).map((day) => day.agenda!),
    );
    return { agenda, question, hasMore: knownDays < days.length };
  }, [whole.data, days, knownDays, question]);
  const isAtEnd = shown !== null && seen.endOf === shown.agenda;
  useEffect(() => {
    if (isAtEnd && knownDays >= wantedDays && knownDays < days.length)
      setWanted({ of: question, days: wantedDays + stepDays });
  }, [isAtEnd, knownDays, wantedDays, days.length, question]);
  const former = useRef(shown);
  if (shown !== null) former.current = shown;
  const read = days.filter(({ date, isSaid, own }, index) => {
    if (isSaid || changedAt === null || whole.data === null) return false;
    const isSeen = (seen.from === null || date >= seen.from) && (seen.until === null || date <= seen.until);
    return index < Math.max(wantedDays, knownDays) && (isSeen || (own?.data ?? null) === null);
  });
  const failed = read.find(({ own }) => own !== null && own.error !== null)?.own ?? null;
  const error = whole.error ?? failed?.error ?? null;
  return {
    data: shown ?? (error === null ? former.current : null),
    error,
    readAt: whole.readAt,
    isReading: whole.isReading,
    isFormer: shown === null && error === null && former.current !== null,
    again: () => {
      whole.again();
      failed?.again();
    },
    onSeen: setSeen,
    readers: read.map(({ key, asked: dayAsked }) => (
      <DayReader key={key} name={key} asked={dayAsked} changedAt={changedAt!} report={report} />
    )),
  };
}

const nothingSeen: Seen = { from: null, until: null, endOf: null };

/** A day, as far as the answer about all of them has it. */
function saidOf(whole: Agenda, period: Period, isOnly: boolean): Agenda | null {
  if (isOnly) return whole;
  return isSaidBy(whole, period) ? dayOf(whole, period) : null;
}

interface Asked extends AgendaFilter {
  readonly from?: string;
  readonly until: string;
  readonly limit: number;
  readonly collapse: true;
}

function askFor(
  filter: AgendaFilter,
  { from, until, limit }: Pick<Period, "from" | "until"> & { readonly limit: number },
): Asked {
  const begin = from === null ? {} : { from: new Date(from).toISOString() };
  return { ...filter, ...begin, until: new Date(until).toISOString(), limit, collapse: true };
}

type DayRead = Pick<Read<Agenda>, "data" | "error" | "again">;
type Report = (name: string, read: DayRead) => void;

/** What was read of the days of a question. */
function useReports(question: string): { readonly reads: ReadonlyMap<string, DayRead>; readonly report: Report } {
  const [found, setFound] = useState<{ readonly of: string; readonly reads: ReadonlyMap<string, DayRead> }>({
    of: question,
    reads: none,
  });
  const report = useCallback<Report>(
    (name, read) =>
      setFound(({ of, reads }) => {
        const former = of === question ? reads : none;
        const data = read.data ?? former.get(name)?.data ?? null;
        return { of: question, reads: new Map([...former, [name, { ...read, data }]]) };
      }),
    [question],
  );
  return { reads: found.of === question ? found.reads : none, report };
}

const none: ReadonlyMap<string, DayRead> = new Map();

interface DayReaderProps {
  readonly name: string;
  readonly asked: Asked;
  /** Another time reads the day anew. */
  readonly changedAt: number;
  readonly report: Report;
}

function DayReader({ name, asked, changedAt, report }: DayReaderProps): ReactNode {
  const { client } = useSession();
  const read = useRead(["agenda", asked, changedAt], (signal) => client.schedules.agenda(asked, { signal }), {
    // each change is in the answer about all days, with which this is read
    kinds: [],
    keepsFormer: true,
    keptMs: pauseMs,
  });
  const { data, error } = read;
  useEffect(() => report(name, read), [name, data, error, report]);
  return null;
}

/** A value that follows another one at once after a quiet time, and then at most once in each pause. */
function usePaced<T>(value: T, ms: number): T {
  const [paced, setPaced] = useState(value);
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (value === paced) return;
    const timer = setTimeout(
      () => {
        changedAt.current = performance.now();
        setPaced(value);
      },
      Math.max(0, changedAt.current + ms - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [value, paced, ms]);
  return paced;
}
