import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
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
import { type TriggerSetRow, triggerSets } from "./table.ts";

export interface TriggerSetFilters {
  readonly targetTaskId?: string | undefined;
  readonly namePart?: string | undefined;
}

export type TriggerSetStore = ReturnType<typeof createTriggerSetStore>;

const { placeholder } = sql;

export function createTriggerSetStore(db: Db) {
  const byName = db
    .select({ id: triggerSets.id })
    .from(triggerSets)
    .where(eq(triggerSets.nameKey, placeholder("nameKey")))
    .prepare();
  const listing = perShape((given) =>
    db
      .select()
      .from(triggerSets)
      .where(
        and(
          given("targetTaskId") ? eq(triggerSets.targetTaskId, placeholder("targetTaskId")) : undefined,
          given("namePart") ? sql`instr(${triggerSets.nameKey}, ${placeholder("namePart")}) > 0` : undefined,
          given("afterId") ? afterCursor(triggerSets.createdAt, triggerSets.id) : undefined,
        ),
      )
      .orderBy(desc(triggerSets.createdAt), desc(triggerSets.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const targetGone = db
    .update(triggerSets)
    .set({ targetTaskName: sql`${placeholder("name")}` })
    .where(eq(triggerSets.targetTaskId, placeholder("taskId")))
    .prepare();

  const find = preparedFind(db, triggerSets);
  return {
    find,
    findByName: (nameKey: string): { readonly id: string } | undefined => byName.get({ nameKey }),
    /** Returns the name of a member's set. The set always exists, because the last member cannot be deleted alone. */
    nameOf: (id: string): string => {
      const row = find(id);
      invariant(row !== undefined, `trigger set ${id} is missing, but its members refer to it`);
      return row.name;
    },
    list: (filters: TriggerSetFilters, page: Page): readonly TriggerSetRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    insert: preparedInsert(db, triggerSets),
    update: preparedUpdate(db, triggerSets),
    keepTargetName: (taskId: string, name: string): void => void targetGone.run({ taskId, name }),
    remove: preparedRemove(db, triggerSets),
  };
}
