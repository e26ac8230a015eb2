import { eq } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import { preparedFind } from "../../kernel/storage/statements.ts";
import { actors } from "./table.ts";

export type ActorRow = typeof actors.$inferSelect;
export type AccessStore = ReturnType<typeof createAccessStore>;

export function createAccessStore(db: Db) {
  const builtIn = db.select().from(actors).where(eq(actors.builtIn, true)).prepare();
  return {
    find: preparedFind(db, actors),
    findBuiltIn: (): ActorRow | undefined => builtIn.get(),
    insert: (row: ActorRow): void => void db.insert(actors).values(row).run(),
  };
}
