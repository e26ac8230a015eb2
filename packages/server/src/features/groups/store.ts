import { and, desc, eq, sql } from "drizzle-orm";
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
  switchedTo,
} from "../../kernel/storage/statements.ts";
import { type GroupRow, groups } from "./table.ts";

export interface GroupFilters {
  readonly parentId?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly namePart?: string | undefined;
}

export type GroupStore = ReturnType<typeof createGroupStore>;

export function createGroupStore(db: Db) {
  const byName = db
    .select({ id: groups.id })
    .from(groups)
    .where(eq(groups.nameKey, sql.placeholder("nameKey")))
    .prepare();
  const oneChild = db
    .select({ id: groups.id })
    .from(groups)
    .where(eq(groups.parentId, sql.placeholder("id")))
    .limit(1)
    .prepare();
  const listing = perShape((given) =>
    db
      .select()
      .from(groups)
      .where(
        and(
          given("parentId") ? eq(groups.parentId, sql.placeholder("parentId")) : undefined,
          given("enabled") ? switchedTo(groups.enabled, { isFound: !given("parentId") }) : undefined,
          given("namePart") ? sql`instr(${groups.nameKey}, ${sql.placeholder("namePart")}) > 0` : undefined,
          given("afterId") ? afterCursor(groups.createdAt, groups.id) : undefined,
        ),
      )
      .orderBy(desc(groups.createdAt), desc(groups.id))
      .limit(sql.placeholder("limit"))
      .prepare(),
  );

  const insert = preparedInsert(db, groups);
  const update = preparedUpdate(db, groups);

  return {
    find: preparedFind(db, groups),
    findByName: (nameKey: string): { readonly id: string } | undefined => byName.get({ nameKey }),
    hasChildGroup: (id: string): boolean => oneChild.get({ id }) !== undefined,
    list: (filters: GroupFilters, page: Page): readonly GroupRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    insert,
    update,
    remove: preparedRemove(db, groups),
  };
}
