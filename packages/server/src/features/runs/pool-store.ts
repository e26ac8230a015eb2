import { and, asc, eq, getTableColumns, gt, isNotNull, lte, ne, not, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../kernel/storage/database.ts";
import { perShape } from "../../kernel/storage/statements.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { TaskRow } from "../tasks/index.ts";
import { tasks } from "../tasks/table.ts";
import { isLive, isQueued, isWaiting, type RunRow, runs } from "./table.ts";

/** A task with its key: its pool has the runs of all tasks with that key, or its own runs if it has none. */
export type PoolMember = Pick<TaskRow, "id" | "concurrencyKey">;

const { placeholder } = sql;

/** Reads the runs that count against the same limit as the runs of a task. */
export function createPoolStore(db: Db) {
  // a cross join keeps its order: the few tasks of the key first, and then the runs of each
  const ofKey = and(
    isNotNull(tasks.concurrencyKey),
    eq(tasks.concurrencyKey, placeholder("key")),
    eq(runs.taskId, tasks.id),
  );
  const inPool = <T>(columns: T & Record<string, SQL | SQLiteColumn>, ...conditions: readonly SQL[]) =>
    perShape((given) =>
      given("key")
        ? db
            .select(columns)
            .from(tasks)
            .crossJoin(runs)
            .where(and(ofKey, ...conditions))
            .prepare()
        : db
            .select(columns)
            .from(runs)
            .where(and(eq(runs.taskId, placeholder("taskId")), ...conditions))
            .prepare(),
    );
  const count = { n: sql<number>`count(*)` };
  const live = inPool(count, isLive);
  const wanting = inPool(count, isQueued, eq(runs.attempt, 0), lte(runs.notBefore, placeholder("now")));
  const isKept = sql`${runs.state} <> 'cancelling'`;
  const others = inPool(count, isLive, isKept, ne(runs.taskId, placeholder("id")));
  const ofTask = eq(runs.taskId, placeholder("taskId"));
  // `not_before` is cleared when such a run is due and has replaced others
  const isForLater = and(eq(runs.attempt, 0), gt(runs.notBefore, 0));
  const waitingOf = db
    .select()
    .from(runs)
    .where(and(ofTask, isQueued, not(isForLater!)))
    .prepare();
  const begunOf = db
    .select()
    .from(runs)
    .where(and(ofTask, isLive, isKept))
    .prepare();
  const newlyDue = db
    .select(getTableColumns(runs))
    .from(runs)
    .crossJoin(tasks)
    .where(
      and(
        isWaiting,
        sql`${runs.notBefore} > 0`,
        lte(runs.notBefore, placeholder("now")),
        eq(runs.attempt, 0),
        eq(tasks.id, runs.taskId),
        eq(tasks.onConflict, "replace"),
      ),
    )
    .orderBy(asc(runs.notBefore), asc(runs.queuedAt), asc(runs.id))
    .prepare();
  const liveNames = inPool({ id: runs.id, taskId: runs.taskId, taskName: runs.taskName }, isLive);

  return {
    /** Counts the runs that hold or want a slot of the pool now. A run in the pause between two attempts holds none. */
    countContenders: (task: PoolMember, now: Instant): number => {
      const values = { ...poolValues(task), now };
      return live(values).get(values)!.n + wanting(values).get(values)!.n;
    },
    /** Counts the active runs of other tasks of the pool, without those that are being cancelled. */
    countOthersInPool: ({ id, concurrencyKey: key }: PoolMember): number =>
      key === null ? 0 : others({ key, id }).get({ key, id })!.n,
    /**
     * Lists the runs of a task that a new run may replace, the oldest first: those that wait for their start now, that
     * are active, or that are between two attempts. Runs that are being cancelled are not among them.
     */
    listReplaceable: (taskId: string): readonly RunRow[] =>
      [...waitingOf.all({ taskId }), ...begunOf.all({ taskId })].sort(
        (a, b) => a.queuedAt - b.queuedAt || a.scheduledFor - b.scheduledFor || (a.id < b.id ? -1 : 1),
      ),
    /** Lists the runs for a later time that are due now and may replace others: their task replaces. */
    listNewlyDue: (now: Instant): readonly RunRow[] => newlyDue.all({ now }),
    /** Lists the active runs of the pool. */
    listLiveOfPool: (task: PoolMember): readonly Pick<RunRow, "id" | "taskId" | "taskName">[] => {
      const values = poolValues(task);
      return liveNames(values).all(values);
    },
  };
}

function poolValues({ id, concurrencyKey }: PoolMember) {
  return concurrencyKey === null ? { taskId: id } : { key: concurrencyKey };
}
