import { and, desc, eq, gte, isNotNull, max, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { runs } from "./table.ts";

/** A task with runs that failed. */
export interface FailedTaskRow {
  readonly taskId: string;
  readonly failures: number;
  /** The newest of these runs. */
  readonly lastRunId: string;
  readonly hasRecovered: boolean;
}

const { placeholder } = sql;

export type FailureStore = ReturnType<typeof createFailureStore>;

/** Finds the tasks that failed since a time. It reads an index of the failures alone. */
export function createFailureStore(db: Db) {
  // each `+` keeps SQLite from another index than that of the failures; a bare column beside the maximum is that of its row
  const failed = db
    .select({ taskId: runs.taskId, failures: sql<number>`count(*)`, endedAt: max(runs.endedAt), id: runs.id })
    .from(runs)
    .where(and(sql`+${runs.outcome} = 'failure'`, gte(runs.endedAt, placeholder("since"))))
    .groupBy(sql`+${runs.taskId}`)
    .orderBy(desc(max(runs.endedAt)), desc(runs.id))
    .prepare();
  const newest = db
    .select({ outcome: runs.outcome })
    .from(runs)
    .where(and(eq(runs.taskId, placeholder("taskId")), isNotNull(runs.endedAt), isNotNull(runs.outcome)))
    .orderBy(desc(runs.endedAt), desc(runs.id))
    .limit(1)
    .prepare();
  return {
    /** Lists these tasks, the newest failure first, and counts them all. */
    listFailedTasks: (
      since: Instant,
      limit: number,
    ): { readonly tasks: readonly FailedTaskRow[]; readonly count: number } => {
      const found = failed.all({ since });
      const tasks = found.slice(0, limit).map(({ taskId, failures, id }) => ({
        taskId,
        failures,
        lastRunId: id,
        hasRecovered: newest.get({ taskId })?.outcome === "success",
      }));
      return { tasks, count: found.length };
    },
  };
}
