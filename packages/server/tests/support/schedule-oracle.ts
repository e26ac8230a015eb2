import { dayMs, hourMs, minuteMs } from "./schedules.ts";

/** Which rows a schedule must have: written from the documents, minute by minute, without the code of the daemon. */
export interface OracleRow {
  at: number;
  readonly isSkipped: boolean;
  coalesced: number;
  from: number | null;
}

export interface OracleSchedule {
  readonly policy: "run_once" | "run_all" | "skip";
  readonly windowMs: number;
  readonly runsMax: number;
  /** Whether the schedule names this minute. */
  readonly names: (minute: number) => boolean;
}

const waitMaxMs = 3 * hourMs;

export function createOracle(schedule: OracleSchedule, startedAt: number) {
  const rows: OracleRow[] = [];
  /** Every time up to here is decided. */
  let cursor = startedAt;
  /** The highest cursor, while the clock is behind it. */
  let mark: number | null = null;

  /** A time of its own, or one merged into a row whose time is not in the future. */
  const isRecorded = (at: number, now: number): boolean =>
    rows.some((row) => row.at === at || (row.at <= now && row.from !== null && row.from <= at && at <= row.at));

  /** The times in (after, until] without a row, as seen at `now`; null if each is seen when it comes. */
  function list(after: number, until: number, now: number | null): number[] {
    const found = [];
    for (let minute = Math.floor(after / minuteMs) * minuteMs + minuteMs; minute <= until; minute += minuteMs)
      if (schedule.names(minute) && !isRecorded(minute, now ?? minute)) found.push(minute);
    return found;
  }

  function addSkipped(row: OracleRow): void {
    const before = rows.filter(({ at }) => at < row.at).sort((a, b) => b.at - a.at)[0];
    if (before?.isSkipped !== true) return void rows.push(row);
    before.from ??= before.at;
    before.coalesced += 1 + row.coalesced;
    before.at = row.at;
  }

  return {
    /** The clock goes on to this time while the daemon runs. */
    advance: (now: number): void => {
      for (const at of list(cursor, now, null)) rows.push({ at, isSkipped: false, coalesced: 0, from: null });
      cursor = Math.max(cursor, now);
    },
    /** The daemon sees this time after its clock was set, the machine slept, or it did not run. */
    leap: (now: number): void => {
      if (cursor > now + waitMaxMs) {
        mark = Math.max(cursor, mark ?? cursor);
        cursor = now;
      }
      if (mark !== null && mark <= now) {
        cursor = Math.max(cursor, mark);
        mark = null;
      }
      const missed = list(cursor, now, now);
      cursor = Math.max(cursor, now);
      if (missed.length === 0) return;
      const inside = missed.filter((at) => at >= now - schedule.windowMs);
      const own = { run_once: inside.slice(-1), run_all: inside.slice(-schedule.runsMax), skip: [] }[schedule.policy];
      const kept = own.length > 0 ? own : missed.slice(-1);
      const coalesced = missed.length - kept.length;
      kept.forEach((at, index) => {
        const range = index === 0 && coalesced > 0 ? { coalesced, from: missed[0]! } : { coalesced: 0, from: null };
        const row = { at, isSkipped: own.length === 0, ...range };
        if (row.isSkipped) addSkipped(row);
        else rows.push(row);
      });
    },
    rows: (): readonly string[] => rows.toSorted((a, b) => a.at - b.at).map(describeOracleRow),
  };
}

export type Oracle = ReturnType<typeof createOracle>;

function describeOracleRow({ at, isSkipped, coalesced, from }: OracleRow): string {
  const range = from === null ? "" : ` +${coalesced} from ${minuteOf(from)}`;
  return `${minuteOf(at)} ${isSkipped ? "skipped" : "runs"}${range}`;
}

export function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16);
}

const isHour = (at: number): boolean => at % hourMs === 0;

/** The schedules that are compared, with what the oracle knows of each. */
export function oracleSchedules(start: number) {
  const once = start + 30 * hourMs;
  const plain = { policy: "run_once", windowMs: dayMs, runsMax: 100 } as const;
  const hourly = { kind: "cron", expression: "0 * * * *" };
  return [
    { body: hourly, of: { ...plain, names: isHour } },
    {
      body: { ...hourly, misfire: { policy: "run_all", max_runs: 3, window: "6h" } },
      of: { policy: "run_all", windowMs: 6 * hourMs, runsMax: 3, names: isHour },
    },
    { body: { ...hourly, misfire: { policy: "skip" } }, of: { ...plain, policy: "skip", names: isHour } },
    {
      body: { kind: "cron", expression: "30 3 * * *", misfire: { window: "2h" } },
      of: { ...plain, windowMs: 2 * hourMs, names: (at: number) => at % dayMs === 3.5 * hourMs },
    },
    {
      body: { kind: "interval", every: "45m" },
      of: { ...plain, names: (at: number) => (at - start) % (45 * minuteMs) === 0 },
    },
    {
      body: { kind: "once", at: new Date(once).toISOString() },
      of: { ...plain, names: (at: number) => at === once },
    },
  ] as const;
}
