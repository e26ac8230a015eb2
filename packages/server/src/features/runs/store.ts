import { limits } from "@belfry/contract";
import { and, asc, desc, eq, gt, gte, isNotNull, lt, lte, min, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import {
  afterCursor,
  pageValues,
  perShape,
  preparedExists,
  preparedFind,
  preparedInsert,
  preparedRemove,
  preparedUpdate,
} from "../../kernel/storage/statements.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { createAttemptStore } from "./attempt-store.ts";
import { createPoolStore } from "./pool-store.ts";
import { isLive, isQueued, isUnfinished, isWaiting, type RunRow, runs } from "./table.ts";

export interface RunFilters {
  readonly taskId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly state?: string | undefined;
  readonly ended?: boolean | undefined;
  readonly active?: boolean | undefined;
  readonly outcome?: string | undefined;
  readonly trigger?: string | undefined;
  readonly since?: Instant | undefined;
  readonly until?: Instant | undefined;
}

export type RunStore = ReturnType<typeof createRunStore>;

const { placeholder } = sql;

/** `onChanged` is called for each row of a run that is inserted, changed or removed, with the id of its task. */
export function createRunStore(db: Db, onChanged: (taskId: string) => void) {
  const byAttempt = db
    .select()
    .from(runs)
    .where(and(eq(runs.attemptId, placeholder("attemptId")), isLive))
    .prepare();
  const byInstant = db
    .select()
    .from(runs)
    .where(and(eq(runs.sourceScheduleId, placeholder("scheduleId")), eq(runs.scheduledFor, placeholder("at"))))
    .prepare();
  const byEnd = db
    .select()
    .from(runs)
    .where(and(eq(runs.sourceChainId, placeholder("chainId")), eq(runs.sourceRunId, placeholder("runId"))))
    .prepare();
  const newestOfSchedule = db
    .select()
    .from(runs)
    .where(and(eq(runs.sourceScheduleId, placeholder("scheduleId")), lte(runs.scheduledFor, placeholder("until"))))
    .orderBy(desc(runs.scheduledFor))
    .limit(1)
    .prepare();
  const nextOfSchedule = db
    .select()
    .from(runs)
    .where(and(eq(runs.sourceScheduleId, placeholder("scheduleId")), gte(runs.scheduledFor, placeholder("from"))))
    .orderBy(asc(runs.scheduledFor))
    .limit(1)
    .prepare();
  const newestOfWatcher = db
    .select()
    .from(runs)
    .where(and(eq(runs.sourceWatcherId, placeholder("watcherId")), lte(runs.queuedAt, placeholder("until"))))
    .orderBy(desc(runs.queuedAt), desc(runs.id))
    .limit(1)
    .prepare();
  const unfinishedOfWatcher = db
    .select()
    .from(runs)
    .where(and(eq(runs.sourceWatcherId, placeholder("watcherId")), isUnfinished))
    .orderBy(sql`rowid DESC`)
    .limit(1)
    .prepare();
  const newestEnd = db
    .select()
    .from(runs)
    .where(
      and(
        eq(runs.taskId, placeholder("taskId")),
        isNotNull(runs.endedAt),
        sql`${runs.state} <> 'skipped'`,
        lte(runs.endedAt, placeholder("until")),
      ),
    )
    .orderBy(desc(runs.endedAt), desc(runs.id))
    .limit(1)
    .prepare();
  const live = db
    .select({ id: runs.id, taskId: runs.taskId, state: runs.state, attemptId: runs.attemptId })
    .from(runs)
    .where(isLive)
    .prepare();
  const countOf = (...conditions: readonly SQL[]) =>
    db
      .select({ n: sql<number>`count(*)` })
      .from(runs)
      .where(and(eq(runs.taskId, placeholder("taskId")), ...conditions))
      .prepare();
  const liveOf = countOf(isLive);
  const queuedOf = countOf(isQueued);
  // runs that one write queued at the same time start in the order of their scheduled times
  const waiting = perShape((given) =>
    db
      .select()
      .from(runs)
      .where(
        and(
          isWaiting,
          lte(runs.notBefore, placeholder("now")),
          sql`${runs.taskId} NOT IN (SELECT value FROM json_each(${placeholder("full")}))`,
          given("afterId")
            ? sql`(${runs.priority} < ${placeholder("priority")} OR (${runs.priority} = ${placeholder("priority")} AND (${runs.queuedAt}, ${runs.scheduledFor}, ${runs.id}) > (${placeholder("afterAt")}, ${placeholder("afterDue")}, ${placeholder("afterId")})))`
            : undefined,
        ),
      )
      .orderBy(desc(runs.priority), asc(runs.queuedAt), asc(runs.scheduledFor), asc(runs.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const nextStart = db
    .select({ at: min(runs.notBefore) })
    .from(runs)
    .where(and(isWaiting, sql`${runs.notBefore} > 0`, gt(runs.notBefore, placeholder("now"))))
    .prepare();
  const isPause = sql`${runs.notBefore} > 0 AND (${runs.attempt} > 0 OR ${runs.trigger} = 'completion')`;
  const pausing = db
    .select()
    .from(runs)
    .where(and(isWaiting, isPause, gt(runs.notBefore, placeholder("now"))))
    .prepare();
  // the `+` hides the index of all runs of the task: few of its runs, or of any task, are unfinished
  const ofTask = (isOfFew: boolean) =>
    isOfFew ? sql`+${runs.taskId} = ${placeholder("taskId")}` : eq(runs.taskId, placeholder("taskId"));
  const listing = perShape((given) =>
    db
      .select()
      .from(runs)
      .where(
        and(
          given("taskId") ? ofTask(given("unfinished") || given("live")) : undefined,
          given("groupId") ? and(isNotNull(runs.groupId), eq(runs.groupId, placeholder("groupId"))) : undefined,
          given("state") ? eq(runs.state, placeholder("state")) : undefined,
          given("unfinished") ? isUnfinished : undefined,
          given("live") ? isLive : undefined,
          given("notLive") ? sql`NOT (${isLive})` : undefined,
          given("done") ? isNotNull(runs.endedAt) : undefined,
          given("outcome") ? and(isNotNull(runs.outcome), eq(runs.outcome, placeholder("outcome"))) : undefined,
          given("trigger") ? eq(runs.trigger, placeholder("trigger")) : undefined,
          given("since") ? gte(runs.queuedAt, placeholder("since")) : undefined,
          given("until") ? lt(runs.queuedAt, placeholder("until")) : undefined,
          given("afterId") ? afterCursor(runs.queuedAt, runs.id) : undefined,
        ),
      )
      .orderBy(desc(runs.queuedAt), desc(runs.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const beyond = db
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.taskId, placeholder("taskId")), isNotNull(runs.endedAt)))
    // in the order of creation, independent of the clock
    .orderBy(sql`rowid DESC`)
    .limit(placeholder("limit"))
    .offset(placeholder("kept"))
    .prepare();
  const oldest = db
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.taskId, placeholder("taskId")), isNotNull(runs.endedAt)))
    .orderBy(sql`rowid`)
    .limit(placeholder("limit"))
    .prepare();
  const older = db
    .select({ id: runs.id })
    .from(runs)
    .where(
      and(eq(runs.taskId, placeholder("taskId")), isNotNull(runs.endedAt), lt(runs.endedAt, placeholder("before"))),
    )
    .orderBy(asc(runs.endedAt))
    .limit(placeholder("limit"))
    .prepare();
  const isLastPlaceTaken = preparedExists(
    db,
    db
      .select({ id: runs.id })
      .from(runs)
      .where(and(isQueued, eq(runs.taskId, placeholder("taskId"))))
      .limit(1)
      .offset(limits.queuedRunsPerTaskMax - 1),
  );
  const endedTasks = db
    .selectDistinct({ taskId: runs.taskId })
    .from(runs)
    .where(gt(runs.taskId, placeholder("after")))
    .orderBy(asc(runs.taskId))
    .limit(placeholder("limit"))
    .prepare();
  const liveCount = (taskId: string): number => liveOf.get({ taskId })?.n ?? 0;
  const queuedCount = (taskId: string): number => queuedOf.get({ taskId })?.n ?? 0;
  const insert = preparedInsert(db, runs);
  const update = preparedUpdate(db, runs);
  const remove = preparedRemove(db, runs);
  let stateChanges = 0;

  return {
    find: preparedFind(db, runs),
    findByAttempt: (attemptId: string): RunRow | undefined => byAttempt.get({ attemptId }),
    findByInstant: (scheduleId: string, at: Instant): RunRow | undefined => byInstant.get({ scheduleId, at }),
    findByEnd: (chainId: string, runId: string): RunRow | undefined => byEnd.get({ chainId, runId }),
    findNewestOfSchedule: (scheduleId: string, until: Instant): RunRow | undefined =>
      newestOfSchedule.get({ scheduleId, until }),
    findNextOfSchedule: (scheduleId: string, from: Instant): RunRow | undefined =>
      nextOfSchedule.get({ scheduleId, from }),
    /** Finds the latest run that a watcher had requested at that time. */
    findNewestOfWatcher: (watcherId: string, until: Instant): RunRow | undefined =>
      newestOfWatcher.get({ watcherId, until }),
    /** Finds the newest queued or active run of a watcher. It has another only while that run waits to replace the other. */
    findUnfinishedOfWatcher: (watcherId: string): RunRow | undefined => unfinishedOfWatcher.get({ watcherId }),
    /** Finds the task's latest ended run at that time. Skipped runs do not count. */
    findNewestEnd: (taskId: string, until: Instant): RunRow | undefined => newestEnd.get({ taskId, until }),
    listLive: () => live.all(),
    hasUnfinished: (taskId: string): boolean => liveCount(taskId) > 0 || queuedCount(taskId) > 0,
    ...createPoolStore(db),
    countQueuedOf: queuedCount,
    /** Counts the changes that may affect queued runs, including changes that were undone. */
    countStateChanges: (): number => stateChanges,
    /** Takes 3 us for a short queue and 50 us for a full one. */
    isQueueFull: (taskId: string): boolean => isLastPlaceTaken({ taskId }),
    listWaiting: (from: {
      readonly now: Instant;
      readonly full: readonly string[];
      readonly limit: number;
      readonly after: RunRow | null;
    }): readonly RunRow[] => {
      const values = {
        now: from.now,
        full: JSON.stringify(from.full),
        limit: from.limit,
        priority: from.after?.priority,
        afterAt: from.after?.queuedAt,
        afterDue: from.after?.scheduledFor,
        afterId: from.after?.id,
      };
      return waiting(values).all(values);
    },
    /** Lists runs in the pause before a retry or in the delay of a chain. */
    listPausing: (now: Instant): readonly RunRow[] => pausing.all({ now }),
    findNextStart: (now: Instant): Instant | null => nextStart.get({ now })?.at ?? null,
    list: ({ ended, active, ...filters }: RunFilters, page: Page): readonly RunRow[] => {
      const values = {
        ...filters,
        done: ended || undefined,
        unfinished: ended === false || undefined,
        live: active || undefined,
        notLive: active === false || undefined,
        ...pageValues(page),
      };
      return listing(values).all(values);
    },
    listBeyond: (taskId: string, kept: number, limit: number): readonly { readonly id: string }[] =>
      beyond.all({ taskId, kept, limit }),
    /** Lists the ended runs of the task that were requested first. */
    listOldest: (taskId: string, limit: number): readonly { readonly id: string }[] => oldest.all({ taskId, limit }),
    /** Lists runs of the task that ended before this time. */
    listOlder: (taskId: string, before: Instant, limit: number): readonly { readonly id: string }[] =>
      older.all({ taskId, before, limit }),
    listTaskIds: (after: string, limit: number): readonly string[] =>
      endedTasks.all({ after, limit }).map((row) => row.taskId),
    insert: (row: RunRow): void => {
      stateChanges++;
      onChanged(row.taskId);
      insert(row);
    },
    update: ({ id, taskId }: Pick<RunRow, "id" | "taskId">, change: Partial<RunRow>): void => {
      if (change.state !== undefined) stateChanges++;
      onChanged(taskId);
      update(id, change);
    },
    remove: ({ id, taskId }: Pick<RunRow, "id" | "taskId">): void => {
      stateChanges++;
      onChanged(taskId);
      remove(id);
    },
    ...createAttemptStore(db),
  };
}
