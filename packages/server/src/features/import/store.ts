import type { Db } from "../../kernel/database.ts";
import { preparedFind, preparedInsert } from "../../kernel/statements.ts";
import { imports } from "./table.ts";

export type ImportStore = ReturnType<typeof createImportStore>;

export function createImportStore(db: Db) {
  return { find: preparedFind(db, imports), insert: preparedInsert(db, imports) };
}
