import { inArray, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import { preparedInsert } from "../../kernel/storage/statements.ts";
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
