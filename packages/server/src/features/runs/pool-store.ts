import { and, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../kernel/storage/database.ts";
import { perShape } from "../../kernel/storage/statements.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { TaskRow } from "../tasks/index.ts";
import { tasks } from "../tasks/table.ts";
import { isLive, isQueued, runs } from "./table.ts";

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
  const liveIds = inPool({ id: runs.id }, isLive);

  return {
    /** Counts the runs that hold or want a slot of the pool now. A run in the pause between two attempts holds none. */
    countContenders: (task: PoolMember, now: Instant): number => {
      const values = { ...poolValues(task), now };
      return live(values).get(values)!.n + wanting(values).get(values)!.n;
    },
    /** Lists the active runs of the pool. */
    listLiveOfPool: (task: PoolMember): readonly { readonly id: string }[] => {
      const values = poolValues(task);
      return liveIds(values).all(values);
    },
  };
}

function poolValues({ id, concurrencyKey }: PoolMember) {
  return concurrencyKey === null ? { taskId: id } : { key: concurrencyKey };
}
