import { eq, sql } from "drizzle-orm";
import type { Db } from "../../kernel/database.ts";
import { preparedInsert } from "../../kernel/statements.ts";
import { imports } from "./table.ts";

export type ImportStore = ReturnType<typeof createImportStore>;

export function createImportStore(db: Db) {
  const byId = db
    .select()
    .from(imports)
    .where(eq(imports.id, sql.placeholder("id")))
    .prepare();
  return { find: (id: string) => byId.get({ id }), insert: preparedInsert(db, imports) };
}
