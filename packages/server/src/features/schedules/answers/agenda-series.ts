import { type AgendaEntry, agendaTimesMax, formatDuration } from "@belfry/contract";
import { formatInstant, type Instant } from "../../../kernel/time/time.ts";
import type { CompiledTiming } from "../timing/compile-timing.ts";

/** The instants of one schedule that are one entry of an agenda. */
interface Series {
  readonly count: number;
  readonly last: Instant;
  /** The time between two instants, if the schedule keeps it for a year. */
  readonly everyMs: number | null;
}

/** The number of intervals to compare. More of them are assumed to be equal if they are so on average. */
const comparedMax = 100;

/** `0 9 * * mon-fri` is not "every day", even where the agenda ends before the weekend. */
const regularForMs = 366 * 86_400_000;

/** Clock changes add and remove the instants of at most this time. */
const clockChangesMs = 3 * 3_600_000;

/** Reads series that end at the same time. Schedules that are alike share a timing, so each of their series is computed once. */
export function createSeriesReader(until: Instant): (timing: CompiledTiming, first: Instant) => Series | null {
  const known = new Map<CompiledTiming, { readonly first: Instant; readonly series: Series | null }>();
  return (timing, first) => {
    const former = known.get(timing);
    if (former?.first === first) return former.series;
    const series = readSeries(timing, first, until);
    known.set(timing, { first, series });
    return series;
  };
}

/** Reads the instants from the first one on; null if they are so few that each has an entry. */
function readSeries(timing: CompiledTiming, first: Instant, until: Instant): Series | null {
  const count = timing.count(first - 1, until);
  const [last] = timing.last(first - 1, until, 1);
  if (count <= agendaTimesMax || last === undefined) return null;
  return { count, last, everyMs: intervalOf(timing, { first, last, count }) };
}

function intervalOf(
  timing: CompiledTiming,
  { first, last, count }: { readonly first: Instant; readonly last: Instant; readonly count: number },
): number | null {
  const everyMs = (last - first) / (count - 1);
  let at = first;
  for (let compared = 0; compared < Math.min(count - 1, comparedMax); compared += 1) {
    if (timing.next(at) !== at + everyMs) return null;
    at += everyMs;
  }
  return staysRegular(timing, first, everyMs) ? everyMs : null;
}

/** Whether the schedule keeps this rhythm for a year, or until it ends. */
function staysRegular(timing: CompiledTiming, first: Instant, everyMs: number): boolean {
  const until = first + regularForMs;
  const [last = first] = timing.last(first - 1, until, 1);
  const expected = (last - first) / everyMs + 1;
  return Math.abs(timing.count(first - 1, until) - expected) <= 1 + clockChangesMs / everyMs;
}

export function viewSeries(series: Series | null, at: Instant): Pick<AgendaEntry, "count" | "last_at" | "every"> {
  if (series === null) return { count: 1, last_at: formatInstant(at), every: null };
  return {
    count: series.count,
    last_at: formatInstant(series.last),
    every: series.everyMs === null ? null : formatDuration(series.everyMs),
  };
}
