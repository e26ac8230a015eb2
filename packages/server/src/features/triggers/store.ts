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
import type { Instant } from "../../kernel/time/time.ts";
import { type TriggerRow, triggers } from "./table.ts";

export interface TriggerFilters {
  readonly targetTaskId?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly namePart?: string | undefined;
}

export type TriggerStore = ReturnType<typeof createTriggerStore>;

const { placeholder } = sql;

export function createTriggerStore(db: Db) {
  const byHash = db
    .select()
    .from(triggers)
    .where(eq(triggers.keyHash, placeholder("keyHash")))
    .prepare();
  const byName = db
    .select({ id: triggers.id })
    .from(triggers)
    .where(eq(triggers.nameKey, placeholder("nameKey")))
    .prepare();
  const ofSet = db
    .select()
    .from(triggers)
    .where(eq(triggers.setId, placeholder("setId")))
    .orderBy(asc(triggers.setPosition))
    .prepare();
  const listing = perShape((given) =>
    db
      .select()
      .from(triggers)
      .where(
        and(
          given("targetTaskId") ? eq(triggers.targetTaskId, placeholder("targetTaskId")) : undefined,
          given("enabled") ? switchedTo(triggers.enabled, { isFound: !given("targetTaskId") }) : undefined,
          given("namePart") ? sql`instr(${triggers.nameKey}, ${placeholder("namePart")}) > 0` : undefined,
          given("afterId") ? afterCursor(triggers.createdAt, triggers.id) : undefined,
        ),
      )
      .orderBy(desc(triggers.createdAt), desc(triggers.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const fired = db
    .update(triggers)
    .set({ lastFiredAt: sql`${placeholder("at")}`, fireCount: sql`${triggers.fireCount} + 1` })
    .where(eq(triggers.id, placeholder("id")))
    .prepare();
  const targetGone = db
    .update(triggers)
    .set({ targetTaskName: sql`${placeholder("name")}` })
    .where(eq(triggers.targetTaskId, placeholder("taskId")))
    .prepare();
  const removalOfSet = db
    .delete(triggers)
    .where(eq(triggers.setId, placeholder("setId")))
    .prepare();

  return {
    find: preparedFind(db, triggers),
    findByHash: (keyHash: Buffer): TriggerRow | undefined => byHash.get({ keyHash }),
    findByName: (nameKey: string): { readonly id: string } | undefined => byName.get({ nameKey }),
    /** Lists the members of a set by position. */
    listOfSet: (setId: string): readonly TriggerRow[] => ofSet.all({ setId }),
    list: (filters: TriggerFilters, page: Page): readonly TriggerRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    insert: preparedInsert(db, triggers),
    update: preparedUpdate(db, triggers),
    countFire: (id: string, at: Instant): void => void fired.run({ id, at }),
    keepTargetName: (taskId: string, name: string): void => void targetGone.run({ taskId, name }),
    remove: preparedRemove(db, triggers),
    removeOfSet: (setId: string): void => void removalOfSet.run({ setId }),
  };
}
