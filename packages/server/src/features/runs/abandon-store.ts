import { isNull, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { attempts, isUnfinished, runs } from "./table.ts";

const { placeholder } = sql;

export type AbandonStore = ReturnType<typeof createAbandonStore>;

/** Ends all unfinished work at once, as nothing else does. */
export function createAbandonStore(db: Db) {
  const now = sql`${placeholder("now")}`;
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
    .where(isUnfinished)
    .prepare();
  const ofAttempts = db.update(attempts).set({ cause: "lost", endedAt: now }).where(isNull(attempts.endedAt)).prepare();

  return {
    /** Ends every unfinished run and attempt as lost; returns the number of runs. */
    abandonAll: (text: string, at: Instant): number => {
      ofAttempts.run({ now: at });
      return ofRuns.run({ text, now: at }).changes;
    },
  };
}
