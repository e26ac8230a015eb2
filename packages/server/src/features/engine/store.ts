import { and, eq, exists, gt, inArray, isNotNull, lte, ne, not, or, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import { preparedInsert } from "../../kernel/storage/statements.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { isQueued, runs } from "../runs/table.ts";
import { tasks } from "../tasks/table.ts";
import { removedOutputs } from "./table.ts";

export type RemovedOutputs = ReturnType<typeof createRemovedOutputs>;

/** The attempts whose output is to be removed from the disk, until it has been. */
export function createRemovedOutputs(db: Db) {
  const insert = preparedInsert(db, removedOutputs);
  const all = db.select().from(removedOutputs).prepare();
  const deletion = db
    .delete(removedOutputs)
    .where(inArray(removedOutputs.attemptId, sql`(SELECT value FROM json_each(${sql.placeholder("ids")}))`))
    .prepare();
  return {
    insert: (attemptId: string): void => void insert({ attemptId }),
    list: (): readonly string[] => all.all().map((row) => row.attemptId),
    delete: (attemptIds: readonly string[]): void => void deletion.run({ ids: JSON.stringify(attemptIds) }),
  };
}

/** A task with queued runs, and what decides which other tasks wait for the same. */
export interface WaitingTask {
  readonly id: string;
  readonly groupId: string | null;
  readonly key: string | null;
}

export type ListWaitingTasks = (now: Instant) => readonly WaitingTask[];

/**
 * Lists the tasks whose queued runs can only start or wait now, as far as the rows of the tasks themselves show. The
 * others are left out, because a round may end their runs: those of a task with an obstacle of its own, and those that
 * are skipped if they overlap. Reading a thousand takes about 1 ms, and a thousand whole tasks with their groups 60 ms.
 */
export function createListWaitingTasks(db: Db): ListWaitingTasks {
  // the distinct ids are in an index of their own, whatever the number of runs that each task has in the queue
  const queued = db.selectDistinct({ taskId: runs.taskId }).from(runs).where(isQueued).as("queued");
  const isUndecided = exists(
    db
      .select({ id: runs.id })
      .from(runs)
      .where(
        and(
          eq(runs.taskId, tasks.id),
          isQueued,
          eq(runs.attempt, 0),
          gt(runs.notBefore, 0),
          lte(runs.notBefore, sql.placeholder("now")),
        ),
      ),
  );
  const listing = db
    .select({ id: tasks.id, groupId: tasks.groupId, key: tasks.concurrencyKey })
    .from(queued)
    .crossJoin(tasks)
    .where(
      and(
        eq(tasks.id, queued.taskId),
        isNotNull(tasks.command),
        eq(tasks.lifecycle, "active"),
        eq(tasks.enabled, true),
        or(ne(tasks.onConflict, "skip"), not(isUndecided)),
      ),
    )
    .prepare();
  return (now) => listing.all({ now });
}
