import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, min, ne, notInArray, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { Page } from "../../kernel/storage/page.ts";
import {
  afterCursor,
  pageValues,
  perShape,
  preparedFind,
  preparedFindBy,
  preparedInsert,
  preparedRemove,
  preparedUpdate,
  switchedTo,
} from "../../kernel/storage/statements.ts";
import type { LabelFilter } from "./label-filter.ts";
import { taskLabels, type TaskResultRow, taskResults, type TaskRow, tasks } from "./table.ts";

export interface TaskFilters extends LabelFilter {
  readonly groupId?: string | undefined;
  readonly isGrouped?: true | undefined;
  readonly isUngrouped?: true | undefined;
  readonly enabled?: boolean | undefined;
  readonly namePart?: string | undefined;
  /** Only tasks whose success was overdue at this time. */
  readonly overdueAt?: Instant | undefined;
  /** Only tasks whose success was not overdue at this time. */
  readonly onTimeAt?: Instant | undefined;
}

/** Selects the ids of the tasks that have the label of a list's filter. */
export function selectLabelled(db: Db, given: (name: string) => boolean) {
  return db
    .select({ id: taskLabels.taskId })
    .from(taskLabels)
    .where(
      and(
        eq(taskLabels.key, sql.placeholder("labelKey")),
        given("labelValue") ? eq(taskLabels.value, sql.placeholder("labelValue")) : undefined,
      ),
    );
}

export type TaskStore = ReturnType<typeof createTaskStore>;

export function createTaskStore(db: Db) {
  const { placeholder } = sql;
  // the same expression as in the unique index, so that SQLite uses the index
  const byName = db
    .select({ id: tasks.id })
    .from(tasks)
    .where(
      and(sql`coalesce(${tasks.groupId}, '') = ${placeholder("groupId")}`, eq(tasks.nameKey, placeholder("nameKey"))),
    )
    .prepare();
  const oneOfGroup = db
    .select({ id: tasks.id })
    .from(tasks)
    .where(eq(tasks.groupId, placeholder("groupId")))
    .limit(1)
    .prepare();
  // the condition of the index, word for word, so that SQLite uses it
  const ofKey = and(isNotNull(tasks.concurrencyKey), eq(tasks.concurrencyKey, placeholder("key")));
  const lowestLimit = db
    .select({ limit: min(tasks.concurrencyLimit) })
    .from(tasks)
    .where(and(ofKey, ne(tasks.lifecycle, "archived")))
    .prepare();
  const labelRemoval = db
    .delete(taskLabels)
    .where(eq(taskLabels.taskId, placeholder("id")))
    .prepare();
  const overdueAt = (at: string) =>
    db
      .select({ id: taskResults.taskId })
      .from(taskResults)
      .where(and(isNotNull(taskResults.overdueAt), lte(taskResults.overdueAt, placeholder(at))));
  const listing = perShape((given) =>
    db
      .select()
      .from(tasks)
      .where(
        and(
          given("groupId") ? eq(tasks.groupId, placeholder("groupId")) : undefined,
          given("isGrouped") ? isNotNull(tasks.groupId) : undefined,
          given("isUngrouped") ? isNull(tasks.groupId) : undefined,
          given("enabled")
            ? switchedTo(tasks.enabled, { isFound: !given("groupId") && !given("isUngrouped") && !given("labelKey") })
            : undefined,
          given("labelKey") ? inArray(tasks.id, selectLabelled(db, given)) : undefined,
          given("namePart") ? sql`instr(${tasks.nameKey}, ${placeholder("namePart")}) > 0` : undefined,
          given("overdueAt") ? inArray(tasks.id, overdueAt("overdueAt")) : undefined,
          given("onTimeAt") ? notInArray(tasks.id, overdueAt("onTimeAt")) : undefined,
          given("afterId") ? afterCursor(tasks.createdAt, tasks.id) : undefined,
        ),
      )
      .orderBy(desc(tasks.createdAt), desc(tasks.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const insert = preparedInsert(db, tasks);
  const update = preparedUpdate(db, tasks);
  const findResult = preparedFindBy(db, taskResults, taskResults.taskId);
  const insertResult = preparedInsert(db, taskResults);
  const keptAddition = db
    .update(taskResults)
    .set({ keptBytes: sql`${taskResults.keptBytes} + ${placeholder("bytes")}` })
    .where(eq(taskResults.taskId, placeholder("id")))
    .prepare();
  const resultUpdate = db
    .update(taskResults)
    .set({
      lastSuccessAt: sql`${placeholder("lastSuccessAt")}`,
      countedFrom: sql`${placeholder("countedFrom")}`,
      overdueAt: sql`${placeholder("overdueAt")}`,
    })
    .where(eq(taskResults.taskId, placeholder("taskId")))
    .prepare();
  const isExpected = isNotNull(taskResults.overdueAt);
  const overdueIn = db
    .select({ taskId: taskResults.taskId })
    .from(taskResults)
    .where(
      and(
        isExpected,
        gt(taskResults.overdueAt, placeholder("after")),
        lte(taskResults.overdueAt, placeholder("until")),
      ),
    )
    .prepare();
  const nextOverdue = db
    .select({ at: min(taskResults.overdueAt) })
    .from(taskResults)
    .where(and(isExpected, gt(taskResults.overdueAt, placeholder("after"))))
    .prepare();
  const expected = db.select({ taskId: taskResults.taskId }).from(taskResults).where(isExpected).limit(1).prepare();
  const insertLabel = preparedInsert(db, taskLabels);
  const insertLabels = (taskId: string, labels: Readonly<Record<string, string>>): void => {
    for (const [key, value] of Object.entries(labels)) insertLabel({ key, value, taskId });
  };

  return {
    find: preparedFind(db, tasks),
    findByName: (groupId: string | null, nameKey: string): { readonly id: string } | undefined =>
      byName.get({ groupId: groupId ?? "", nameKey }),
    /** Finds the lowest limit of the tasks with this key; null if all of them are archived. */
    findLowestLimit: (key: string): number | null => lowestLimit.get({ key })?.limit ?? null,
    hasTaskIn: (groupId: string): boolean => oneOfGroup.get({ groupId }) !== undefined,
    list: (filters: TaskFilters, page: Page): readonly TaskRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    insert: (row: TaskRow): void => {
      insert(row);
      insertLabels(row.id, row.labels);
    },
    update: (id: string, change: Partial<TaskRow>): void => {
      update(id, change);
      if (change.labels === undefined) return;
      labelRemoval.run({ id });
      insertLabels(id, change.labels);
    },
    insertResult,
    updateResult: (taskId: string, change: Omit<TaskResultRow, "taskId" | "keptBytes">): void =>
      void resultUpdate.run({ taskId, ...change }),
    /** Lists the tasks of which a success became overdue after the first instant, until the second. */
    listOverdue: (after: Instant, until: Instant): readonly string[] =>
      overdueIn.all({ after, until }).map((row) => row.taskId),
    findNextOverdue: (after: Instant): Instant | null => nextOverdue.get({ after })?.at ?? null,
    hasExpected: (): boolean => expected.get() !== undefined,
    findResult,
    addKeptBytes: (id: string, bytes: number): void => void keptAddition.run({ id, bytes }),
    remove: preparedRemove(db, tasks),
  };
}
