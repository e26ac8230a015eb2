import type { Db } from "../../kernel/storage/database.ts";
import { preparedFind, preparedInsert } from "../../kernel/storage/statements.ts";
import { imports } from "./table.ts";

export type ImportStore = ReturnType<typeof createImportStore>;

export function createImportStore(db: Db) {
  return { find: preparedFind(db, imports), insert: preparedInsert(db, imports) };
}
