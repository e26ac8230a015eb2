import { and, desc, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import {
  afterCursor,
  pageValues,
  perShape,
  preparedFind,
  preparedInsert,
  preparedRemove,
  preparedUpdate,
} from "../../kernel/storage/statements.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { type HoldRow, holds } from "./table.ts";

export type HoldStore = ReturnType<typeof createHoldStore>;

export function createHoldStore(db: Db) {
  const all = db.select().from(holds).prepare();
  const listing = perShape((given) =>
    db
      .select()
      .from(holds)
      .where(and(given("afterId") ? afterCursor(holds.createdAt, holds.id) : undefined))
      .orderBy(desc(holds.createdAt), desc(holds.id))
      .limit(sql.placeholder("limit"))
      .prepare(),
  );
  const insert = preparedInsert(db, holds);
  const update = preparedUpdate(db, holds);
  const remove = preparedRemove(db, holds);
  /** The rows, because each start of a run asks for them. Null: they must be read. */
  let rows: readonly HoldRow[] | null = null;
  const forget = (): void => void (rows = null);
  const change = (unit: Unit, write: () => void): void => {
    unit.onUndo(forget);
    write();
    forget();
  };

  return {
    find: preparedFind(db, holds),
    all: (): readonly HoldRow[] => (rows ??= all.all()),
    list: (page: Page): readonly HoldRow[] => {
      const values = pageValues(page);
      return listing(values).all(values);
    },
    insert: (unit: Unit, row: HoldRow): void => change(unit, () => void insert(row)),
    update: (unit: Unit, id: string, columns: Partial<HoldRow>): void => change(unit, () => update(id, columns)),
    remove: (unit: Unit, id: string): void => change(unit, () => remove(id)),
  };
}
