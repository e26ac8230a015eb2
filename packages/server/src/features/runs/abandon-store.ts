import { and, isNull, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { attempts, isUnfinished, runs } from "./table.ts";

const { placeholder } = sql;

export type AbandonStore = ReturnType<typeof createAbandonStore>;

/** Ends unfinished work at once, as nothing else does. */
export function createAbandonStore(db: Db) {
  const now = sql`${placeholder("now")}`;
  const kept = sql`(SELECT value FROM json_each(${placeholder("kept")}))`;
  const ofRuns = db
    .update(runs)
    .set({
      state: "failed",
      outcome: "failure",
      reason: "lost",
      reasonText: sql`${placeholder("text")}`,
      attemptId: null,
      startedAt: sql`coalesce(${runs.startedAt}, ${now})`,
      durationMs: sql`coalesce(${runs.durationMs}, 0)`,
      endedAt: now,
    })
    .where(and(isUnfinished, sql`coalesce(${runs.attemptId}, '') NOT IN ${kept}`))
    .prepare();
  const ofAttempts = db
    .update(attempts)
    .set({ cause: "lost", endedAt: now })
    .where(and(isNull(attempts.endedAt), sql`${attempts.id} NOT IN ${kept}`))
    .prepare();

  return {
    /** Ends every unfinished run and attempt as lost, except these attempts with their runs; returns the number of runs. */
    abandonAll: (text: string, at: Instant, keptAttempts: ReadonlySet<string>): number => {
      const values = { now: at, kept: JSON.stringify([...keptAttempts]) };
      ofAttempts.run(values);
      return ofRuns.run({ ...values, text }).changes;
    },
  };
}
