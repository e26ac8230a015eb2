import { and, asc, desc, eq, getTableColumns, gt, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import {
  afterCursor,
  pageValues,
  perShape,
  preparedInsert,
  preparedRemove,
  preparedUpdate,
} from "../../kernel/storage/statements.ts";
import { tasks } from "../tasks/table.ts";
import { neighboursPerPage } from "./cycle.ts";
import { type ChainRow, chains } from "./table.ts";

export interface ChainFilters {
  readonly sourceTaskId?: string | undefined;
  readonly targetTaskId?: string | undefined;
}

/** A chain with the current names of its tasks. */
export type NamedChain = ChainRow & { readonly sourceTaskName: string; readonly targetTaskName: string };
export type ChainStore = ReturnType<typeof createChainStore>;

const { placeholder } = sql;
const sources = alias(tasks, "source_tasks");
const targets = alias(tasks, "target_tasks");

export function createChainStore(db: Db) {
  const named = () =>
    db
      .select({ ...getTableColumns(chains), sourceTaskName: sources.name, targetTaskName: targets.name })
      .from(chains)
      .innerJoin(sources, eq(sources.id, chains.sourceTaskId))
      .innerJoin(targets, eq(targets.id, chains.targetTaskId));
  const byId = named()
    .where(eq(chains.id, placeholder("id")))
    .prepare();
  const listing = perShape((given) =>
    named()
      .where(
        and(
          given("sourceTaskId") ? eq(chains.sourceTaskId, placeholder("sourceTaskId")) : undefined,
          given("targetTaskId") ? eq(chains.targetTaskId, placeholder("targetTaskId")) : undefined,
          given("afterId") ? afterCursor(chains.createdAt, chains.id) : undefined,
        ),
      )
      .orderBy(desc(chains.createdAt), desc(chains.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const starting = db
    .select()
    .from(chains)
    .where(
      and(
        eq(chains.sourceTaskId, placeholder("taskId")),
        eq(chains.enabled, true),
        or(eq(chains.onOutcome, placeholder("outcome")), eq(chains.onOutcome, "any")),
      ),
    )
    .orderBy(asc(chains.createdAt), asc(chains.id))
    .prepare();
  const between = db
    .select({ id: chains.id, onOutcome: chains.onOutcome })
    .from(chains)
    .where(
      and(
        eq(chains.sourceTaskId, placeholder("sourceTaskId")),
        eq(chains.targetTaskId, placeholder("targetTaskId")),
        ne(chains.id, placeholder("excludedId")),
      ),
    )
    .prepare();
  const ofSource = db
    .select({ id: chains.id })
    .from(chains)
    .where(eq(chains.sourceTaskId, placeholder("taskId")))
    .prepare();
  const ofTarget = db
    .select({ id: chains.id })
    .from(chains)
    .where(eq(chains.targetTaskId, placeholder("taskId")))
    .prepare();
  const down = db
    .selectDistinct({ id: chains.targetTaskId })
    .from(chains)
    .where(
      and(
        eq(chains.sourceTaskId, placeholder("taskId")),
        gt(chains.targetTaskId, placeholder("after")),
        ne(chains.id, placeholder("excludedId")),
      ),
    )
    .orderBy(asc(chains.targetTaskId))
    .limit(neighboursPerPage)
    .prepare();
  const up = db
    .selectDistinct({ id: chains.sourceTaskId })
    .from(chains)
    .where(
      and(
        eq(chains.targetTaskId, placeholder("taskId")),
        gt(chains.sourceTaskId, placeholder("after")),
        ne(chains.id, placeholder("excludedId")),
      ),
    )
    .orderBy(asc(chains.sourceTaskId))
    .limit(neighboursPerPage)
    .prepare();
  const edges = db
    .select({ source: chains.sourceTaskId, target: chains.targetTaskId })
    .from(chains)
    .where(ne(chains.id, placeholder("excludedId")))
    .prepare();

  return {
    find: (id: string): NamedChain | undefined => byId.get({ id }),
    list: (filters: ChainFilters, page: Page): readonly NamedChain[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    /** Lists the enabled chains that start after this outcome of a task, oldest first. */
    listStarting: (taskId: string, outcome: "success" | "failure"): readonly ChainRow[] =>
      starting.all({ taskId, outcome }),
    /** Lists all chains from one task to the other, without the excluded one. */
    listBetween: (sourceTaskId: string, targetTaskId: string, excludedId: string) =>
      between.all({ sourceTaskId, targetTaskId, excludedId }),
    /** Lists the chains that a task is the source or the target of. */
    listIdsOf: (taskId: string): readonly string[] =>
      [...ofSource.all({ taskId }), ...ofTarget.all({ taskId })].map(({ id }) => id),
    /** Reads the graph without the chain that is being changed. */
    graphWithout: (excludedId: string) => ({
      targetsOf: (taskId: string, after: string) => down.all({ taskId, after, excludedId }).map(({ id }) => id),
      sourcesOf: (taskId: string, after: string) => up.all({ taskId, after, excludedId }).map(({ id }) => id),
    }),
    /** Lists all edges of the graph without that chain. */
    listEdgesWithout: (excludedId: string): readonly (readonly [source: string, target: string])[] =>
      edges.all({ excludedId }).map(({ source, target }) => [source, target] as const),
    insert: preparedInsert(db, chains),
    update: preparedUpdate(db, chains),
    remove: preparedRemove(db, chains),
  };
}
