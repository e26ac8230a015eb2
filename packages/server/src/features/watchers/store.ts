import { and, asc, desc, eq, sql } from "drizzle-orm";
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
import { type WatcherRow, watchers } from "./table.ts";

export interface WatcherFilters {
  readonly targetTaskId?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly namePart?: string | undefined;
}

export type WatcherStore = ReturnType<typeof createWatcherStore>;

const { placeholder } = sql;

export function createWatcherStore(db: Db) {
  const byName = db
    .select({ id: watchers.id })
    .from(watchers)
    .where(eq(watchers.nameKey, placeholder("nameKey")))
    .prepare();
  const listing = perShape((given) =>
    db
      .select()
      .from(watchers)
      .where(
        and(
          given("targetTaskId") ? eq(watchers.targetTaskId, placeholder("targetTaskId")) : undefined,
          given("enabled") ? switchedTo(watchers.enabled, { isFound: !given("targetTaskId") }) : undefined,
          given("namePart") ? sql`instr(${watchers.nameKey}, ${placeholder("namePart")}) > 0` : undefined,
          given("afterId") ? afterCursor(watchers.createdAt, watchers.id) : undefined,
        ),
      )
      .orderBy(desc(watchers.createdAt), desc(watchers.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const everyone = db.select().from(watchers).orderBy(asc(watchers.createdAt), asc(watchers.id)).prepare();
  const targetGone = db
    .update(watchers)
    .set({ targetTaskName: sql`${placeholder("name")}` })
    .where(eq(watchers.targetTaskId, placeholder("taskId")))
    .prepare();

  return {
    find: preparedFind(db, watchers),
    findByName: (nameKey: string): { readonly id: string } | undefined => byName.get({ nameKey }),
    list: (filters: WatcherFilters, page: Page): readonly WatcherRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    /** Oldest first. */
    listAll: (): readonly WatcherRow[] => everyone.all(),
    insert: preparedInsert(db, watchers),
    update: preparedUpdate(db, watchers),
    keepTargetName: (taskId: string, name: string): void => void targetGone.run({ taskId, name }),
    remove: preparedRemove(db, watchers),
  };
}
