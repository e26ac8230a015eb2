import { asc, and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import { preparedFind, preparedInsert, preparedUpdate } from "../../kernel/storage/statements.ts";
import { type AttemptRow, attempts } from "./table.ts";

const { placeholder } = sql;

/** The rows of attempts: one for each start of a run. */
export function createAttemptStore(db: Db) {
  const attemptsOf = db
    .select()
    .from(attempts)
    .where(eq(attempts.runId, placeholder("runId")))
    .orderBy(asc(attempts.number))
    .prepare();
  const attemptByNumber = db
    .select()
    .from(attempts)
    .where(and(eq(attempts.runId, placeholder("runId")), eq(attempts.number, placeholder("number"))))
    .prepare();
  const knownAttempts = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(inArray(attempts.id, sql`(SELECT value FROM json_each(${placeholder("ids")}))`))
    .prepare();

  return {
    insertAttempt: preparedInsert(db, attempts),
    updateAttempt: preparedUpdate(db, attempts),
    findAttempt: preparedFind(db, attempts),
    findAttemptOf: (runId: string, number: number): AttemptRow | undefined => attemptByNumber.get({ runId, number }),
    listAttempts: (runId: string): readonly AttemptRow[] => attemptsOf.all({ runId }),
    /** Lists those of the ids that some run still has. */
    listKnownAttempts: (ids: readonly string[]): ReadonlySet<string> =>
      new Set(knownAttempts.all({ ids: JSON.stringify(ids) }).map((row) => row.id)),
  };
}
