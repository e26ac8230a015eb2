import { type LastRun, type RecentOutcome, recentOutcomesMax, usualDurationRuns } from "@belfry/contract";
import { and, desc, eq, gt, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "../../kernel/storage/database.ts";
import { preparedRows } from "../../kernel/storage/statements.ts";
import { formatInstant, formatInstantOrNull } from "../../kernel/time/time.ts";
import type { TaskHistory } from "../tasks/index.ts";
import { tasks } from "../tasks/table.ts";
import { medianOf } from "../../kernel/median.ts";
import { isUnfinished, type RunRow, runs } from "./table.ts";

const { placeholder } = sql;

const shown = {
  id: runs.id,
  taskId: runs.taskId,
  state: runs.state,
  outcome: runs.outcome,
  reason: runs.reason,
  exitCode: runs.exitCode,
  signal: runs.signal,
  queuedAt: runs.queuedAt,
  startedAt: runs.startedAt,
  endedAt: runs.endedAt,
  durationMs: runs.durationMs,
};
/** As many as each part of a history needs, if all of them count for it. */
const endsRead = Math.max(recentOutcomesMax, usualDurationRuns);
type ShownRun = Pick<RunRow, keyof typeof shown>;

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** Reads the latest runs of many tasks: as many queries for a page of tasks as for one. */
export function createHistoryStore(db: Db) {
  const isWanted = inArray(tasks.id, sql`(SELECT value FROM json_each(${placeholder("ids")}))`);
  const ends = alias(runs, "ends");
  /** The newest ends of each task. A cross join keeps its order: the tasks first, and then the runs of each. */
  const isNewestEnd = (count: number, condition: SQL) => {
    const newest = db
      .select({ rowid: sql`${ends}.rowid` })
      .from(ends)
      .where(and(eq(ends.taskId, tasks.id), isNotNull(ends.endedAt), condition))
      .orderBy(desc(ends.endedAt), desc(ends.id))
      .limit(sql.raw(String(count)) as unknown as number);
    return and(isWanted, sql`${runs}.rowid IN ${newest}`);
  };
  const newestEnds = (count: number, condition: SQL) =>
    preparedRows(db, shown, db.select(shown).from(tasks).crossJoin(runs).where(isNewestEnd(count, condition)));
  const all = newestEnds(endsRead, sql`1`);
  const newestEnd = newestEnds(1, sql`${ends.state} <> 'skipped'`);
  const outcomes = newestEnds(recentOutcomesMax, sql`${ends.outcome} IS NOT NULL`);
  const successes = db
    .select({ taskId: runs.taskId, durationMs: runs.durationMs })
    .from(tasks)
    .crossJoin(runs)
    .where(isNewestEnd(usualDurationRuns, sql`${ends.state} = 'succeeded'`))
    .prepare();
  const ofTasks = inArray(runs.taskId, sql`(SELECT value FROM json_each(${placeholder("ids")}))`);
  /** Also runs in the pause before a retry. */
  const begun = preparedRows(
    db,
    shown,
    db
      .select(shown)
      .from(runs)
      .where(and(ofTasks, isUnfinished, gt(runs.attempt, 0))),
  );

  /**
   * Reads the median duration of the latest successful runs of each task. A run whose duration is unknown does not count,
   * and a task without any has no entry.
   */
  const readUsualDurations = (taskIds: readonly string[]): ReadonlyMap<string, number> => {
    const found = byTask(successes.all({ ids: JSON.stringify(taskIds) }));
    const medians = [...found].map(([id, ended]) => [id, usualDurationOf(ended)] as const);
    return new Map(medians.filter((entry): entry is [string, number] => entry[1] !== null));
  };

  /** The newest ends of each task tell nearly everything. Only if they are too few, each question is asked of its own. */
  const readEnds = (taskIds: readonly string[]): ReadonlyMap<string, Ends> => {
    const found = byTask(all({ ids: JSON.stringify(taskIds) }));
    const read = new Map(taskIds.map((id) => [id, endsAmong((found.get(id) ?? []).toSorted(compareEnds))]));
    const cut = taskIds.filter((id) => !read.get(id)!.isEnough);
    if (cut.length === 0) return read;
    const ids = JSON.stringify(cut);
    const [last, ended, usual] = [byTask(newestEnd({ ids })), byTask(outcomes({ ids })), readUsualDurations(cut)];
    for (const id of cut)
      read.set(id, {
        last: last.get(id)?.[0],
        outcomes: (ended.get(id) ?? []).toSorted(compareEnds),
        usualMs: usual.get(id) ?? null,
        isEnough: true,
      });
    return read;
  };

  return {
    readUsualDurations,
    /** Reads the histories of all these tasks, with as many outcomes as a list may ask for. */
    readHistories: (taskIds: readonly string[]): ReadonlyMap<string, TaskHistory> => {
      const read = readEnds(taskIds);
      const unfinished = new Map<string, ShownRun>();
      for (const run of begun({ ids: JSON.stringify(taskIds) }).toSorted(compareRequests))
        unfinished.set(run.taskId, run);
      return new Map(
        taskIds.map((id) => {
          const { last, outcomes: ended, usualMs } = read.get(id)!;
          const run = unfinished.get(id) ?? last;
          return [
            id,
            {
              lastRun: run === undefined ? null : viewLastRun(run),
              recentOutcomes: ended.map(viewOutcome),
              usualDurationMs: usualMs,
            },
          ];
        }),
      );
    },
  };
}

/** What the ends of a task tell. */
interface Ends {
  readonly last: ShownRun | undefined;
  /** Newest first. */
  readonly outcomes: readonly ShownRun[];
  readonly usualMs: number | null;
  /** No older end could tell more. */
  readonly isEnough: boolean;
}

function endsAmong(newest: readonly ShownRun[]): Ends {
  const outcomes = newest.filter(({ outcome }) => outcome !== null).slice(0, recentOutcomesMax);
  const successes = newest.filter(({ state }) => state === "succeeded").slice(0, usualDurationRuns);
  const last = newest.find(({ state }) => state !== "skipped");
  const hasAll = last !== undefined && outcomes.length === recentOutcomesMax && successes.length === usualDurationRuns;
  return {
    last,
    outcomes,
    usualMs: usualDurationOf(successes),
    isEnough: hasAll || newest.length < endsRead,
  };
}

function usualDurationOf(successes: readonly Pick<ShownRun, "durationMs">[]): number | null {
  return medianOf(successes.flatMap(({ durationMs }) => durationMs ?? []));
}

function compareRequests(one: ShownRun, other: ShownRun): number {
  return one.queuedAt - other.queuedAt || (one.id < other.id ? -1 : 1);
}

function compareEnds(one: ShownRun, other: ShownRun): number {
  return other.endedAt! - one.endedAt! || (one.id < other.id ? 1 : -1);
}

function byTask<R extends Pick<ShownRun, "taskId">>(found: readonly R[]): ReadonlyMap<string, readonly R[]> {
  const groups = new Map<string, R[]>();
  for (const run of found) {
    const known = groups.get(run.taskId);
    if (known === undefined) groups.set(run.taskId, [run]);
    else known.push(run);
  }
  return groups;
}

function viewOutcome({ id, outcome, endedAt }: ShownRun): RecentOutcome {
  return { run_id: id, outcome: outcome!, ended_at: formatInstant(endedAt!) };
}

function viewLastRun(run: ShownRun): LastRun {
  return {
    id: run.id,
    state: run.state,
    outcome: run.outcome,
    reason: run.reason,
    exit_code: run.exitCode,
    signal: run.signal,
    started_at: formatInstantOrNull(run.startedAt),
    ended_at: formatInstantOrNull(run.endedAt),
    // between two attempts, the row has what was measured so far
    duration_ms: run.endedAt === null ? null : run.durationMs,
  };
}
