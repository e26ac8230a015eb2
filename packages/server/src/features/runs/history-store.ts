import {
  type LastRun,
  type RecentOutcome,
  recentOutcomesMax,
  recentOutcomesShown,
  usualDurationRuns,
} from "@belfry/contract";
import { and, desc, eq, gt, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "../../kernel/storage/database.ts";
import { formatInstant, formatInstantOrNull } from "../../kernel/time/time.ts";
import { tasks } from "../tasks/table.ts";
import { medianOf } from "../../kernel/median.ts";
import { isLive, isQueued, type RunRow, runs } from "./table.ts";

/** The latest runs of a task. */
interface TaskHistory {
  readonly lastRun: LastRun | null;
  readonly recentOutcomes: readonly RecentOutcome[];
  readonly usualDurationMs: number | null;
}

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
    db.select(shown).from(tasks).crossJoin(runs).where(isNewestEnd(count, condition)).prepare();
  const newestEnd = newestEnds(1, sql`${ends.state} <> 'skipped'`);
  const hasOutcome = sql`${ends.outcome} IS NOT NULL`;
  const outcomes = newestEnds(recentOutcomesShown, hasOutcome);
  const manyOutcomes = newestEnds(recentOutcomesMax, hasOutcome);
  const successes = db
    .select({ taskId: runs.taskId, durationMs: runs.durationMs })
    .from(tasks)
    .crossJoin(runs)
    .where(isNewestEnd(usualDurationRuns, sql`${ends.state} = 'succeeded'`))
    .prepare();
  const ofTasks = inArray(runs.taskId, sql`(SELECT value FROM json_each(${placeholder("ids")}))`);
  const live = db.select(shown).from(runs).where(and(ofTasks, isLive)).prepare();
  // in the pause before a retry
  const retrying = db
    .select(shown)
    .from(runs)
    .where(and(ofTasks, isQueued, gt(runs.attempt, 0)))
    .prepare();

  /**
   * Reads the median duration of the latest successful runs of each task. A run whose duration is unknown does not count,
   * and a task without any has no entry.
   */
  const readUsualDurations = (taskIds: readonly string[]): ReadonlyMap<string, number> => {
    const measured = successes.all({ ids: JSON.stringify(taskIds) }).filter(({ durationMs }) => durationMs !== null);
    return new Map([...byTask(measured)].map(([id, found]) => [id, medianOf(found.map((run) => run.durationMs!))!]));
  };

  return {
    readUsualDurations,
    readHistories: (taskIds: readonly string[], recent = recentOutcomesShown): ReadonlyMap<string, TaskHistory> => {
      const ids = JSON.stringify(taskIds);
      const last = new Map<string, ShownRun>();
      for (const run of newestEnd.all({ ids })) last.set(run.taskId, run);
      for (const run of [...retrying.all({ ids }), ...live.all({ ids })].sort(compareRequests))
        last.set(run.taskId, run);
      const ended = byTask((recent > recentOutcomesShown ? manyOutcomes : outcomes).all({ ids }));
      const usual = readUsualDurations(taskIds);
      return new Map(
        taskIds.map((id) => [
          id,
          {
            lastRun: last.has(id) ? viewLastRun(last.get(id)!) : null,
            recentOutcomes: viewOutcomes(ended.get(id) ?? [], recent),
            usualDurationMs: usual.get(id) ?? null,
          },
        ]),
      );
    },
  };
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

function viewOutcomes(ended: readonly ShownRun[], max: number): readonly RecentOutcome[] {
  return ended
    .toSorted(compareEnds)
    .slice(0, max)
    .map(({ id, outcome, endedAt }) => ({ run_id: id, outcome: outcome!, ended_at: formatInstant(endedAt!) }));
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
