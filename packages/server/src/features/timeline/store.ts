import { statesFromWorst } from "@belfry/contract";
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import { perShape, preparedNumbers, switchedTo } from "../../kernel/storage/statements.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { groups } from "../groups/table.ts";
import { isLive, isQueued, runs } from "../runs/table.ts";
import { type LabelFilter, selectLabelled } from "../tasks/index.ts";
import { type TaskRow, tasks } from "../tasks/table.ts";

export interface TimelineFilters extends LabelFilter {
  readonly namePart?: string | undefined;
  readonly enabled?: boolean | undefined;
  /** Only tasks with queued or active runs. */
  readonly active?: true | undefined;
  /** Only tasks with a failed run that was queued from then on. */
  readonly failedFrom?: Instant | undefined;
  readonly failedUntil?: Instant | undefined;
}

const { placeholder } = sql;

const shown = {
  id: runs.id,
  state: runs.state,
  outcome: runs.outcome,
  scheduledFor: runs.scheduledFor,
  queuedAt: runs.queuedAt,
  startedAt: runs.startedAt,
  endedAt: runs.endedAt,
  coalesced: runs.coalesced,
  coalescedFrom: runs.coalescedFrom,
};
const ofTask = eq(runs.taskId, placeholder("taskId"));
const isEnded = and(
  ofTask,
  isNotNull(runs.endedAt),
  gte(runs.endedAt, placeholder("from")),
  lt(runs.endedAt, placeholder("until")),
);

const ranks = statesFromWorst.length;

/** A part of a period in which runs ended. */
export interface CountedPlace {
  readonly place: number;
  readonly count: number;
  /** The index of their worst state. */
  readonly rank: number;
}

function countMarks(marks: readonly number[]): readonly CountedPlace[] {
  const found: { place: number; count: number; rank: number }[] = [];
  let last: (typeof found)[number] | undefined;
  for (const mark of marks) {
    const rank = mark % ranks;
    const place = (mark - rank) / ranks;
    if (last?.place !== place) found.push((last = { place, count: 1, rank }));
    else {
      last.count++;
      if (rank < last.rank) last.rank = rank;
    }
  }
  return found;
}

export type TimelineStore = ReturnType<typeof createTimelineStore>;

/** Reads what a timeline shows. Every query of a row reads an index that has the task first. */
export function createTimelineStore(db: Db) {
  const allGroups = db
    .select({ id: groups.id, parentId: groups.parentId, name: groups.name, nameKey: groups.nameKey })
    .from(groups)
    .prepare();
  const tasksWith = (state: SQL) => db.selectDistinct({ id: runs.taskId }).from(runs).where(state);
  const named = (given: (name: string) => boolean) =>
    and(
      given("namePart") ? sql`instr(${tasks.nameKey}, ${placeholder("namePart")}) > 0` : undefined,
      given("enabled") ? switchedTo(tasks.enabled, { isFound: false }) : undefined,
      given("labelKey") ? inArray(tasks.id, selectLabelled(db, given)) : undefined,
      given("active") ? or(inArray(tasks.id, tasksWith(isQueued)), inArray(tasks.id, tasksWith(isLive))) : undefined,
      given("failedFrom")
        ? inArray(
            tasks.id,
            db
              .selectDistinct({ id: runs.taskId })
              .from(runs)
              .where(
                and(
                  isNotNull(runs.outcome),
                  eq(runs.outcome, "failure"),
                  gte(runs.queuedAt, placeholder("failedFrom")),
                  lt(runs.queuedAt, placeholder("failedUntil")),
                ),
              ),
          )
        : undefined,
    );
  // the same expression as in the unique index, whose order this is
  const ofGroup = perShape((given) =>
    db
      .select()
      .from(tasks)
      .where(
        and(
          sql`coalesce(${tasks.groupId}, '') = ${placeholder("groupId")}`,
          gt(tasks.nameKey, placeholder("after")),
          named(given),
        ),
      )
      .orderBy(asc(tasks.nameKey))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const byIds = perShape((given) =>
    db
      .select()
      .from(tasks)
      .where(and(inArray(tasks.id, sql`(SELECT value FROM json_each(${placeholder("ids")}))`), named(given)))
      .prepare(),
  );
  const ends = db.select(shown).from(runs).where(isEnded).orderBy(asc(runs.endedAt), asc(runs.id)).prepare();
  // SQLite binds numbers as floating-point, and divides whole numbers faster
  const [start, width] = ["from", "width"].map((name) => sql`cast(${placeholder(name)} AS integer)`);
  const place = sql`((${runs.endedAt} - ${start}) / ${width})`;
  // SQLite compares one after the other, and most runs have succeeded
  const byCount = statesFromWorst.toSorted((one, other) => Number(other === "succeeded") - Number(one === "succeeded"));
  const rank = sql.raw(
    `CASE state ${byCount.map((state) => `WHEN '${state}' THEN ${statesFromWorst.indexOf(state)}`).join(" ")} END`,
  );
  // one number for each run, in the order of the index: SQLite would sort the runs to group them
  const places = preparedNumbers(
    db,
    db
      .select({ mark: sql`${place} * ${sql.raw(String(ranks))} + ${rank}` })
      .from(runs)
      .where(isEnded)
      .orderBy(asc(runs.endedAt)),
  );
  const lasting = db
    .select(shown)
    .from(runs)
    .where(and(isEnded, sql`(max(${runs.startedAt}, ${start}) - ${start}) / ${width} < ${place}`))
    .orderBy(sql`max(${runs.startedAt}, ${start}) - ${runs.endedAt}`, asc(runs.id))
    .prepare();
  const merged = db
    .select(shown)
    .from(runs)
    .where(and(isEnded, isNotNull(runs.coalescedFrom)))
    .orderBy(desc(runs.endedAt), desc(runs.id))
    .limit(placeholder("max"))
    .prepare();
  // each state has an index of its own; the `+` hides the index of the same state of all tasks
  const inState = (state: SQL) =>
    db
      .select(shown)
      .from(runs)
      .where(and(ofTask, state, sql`+${runs.queuedAt} < ${placeholder("until")}`))
      .limit(placeholder("max"))
      .prepare();
  const live = inState(isLive);
  const queued = inState(isQueued);
  const lastQueued = db
    .select(shown)
    .from(runs)
    .where(and(ofTask, lt(runs.queuedAt, placeholder("until")), sql`${runs.state} <> 'skipped'`))
    .orderBy(desc(runs.queuedAt), desc(runs.id))
    .limit(placeholder("max"))
    .prepare();

  return {
    listGroups: () => allGroups.all(),
    /** Lists tasks directly in a group, or in none, in the order of their names. */
    listTasksOf: (
      groupId: string | null,
      filters: TimelineFilters,
      page: { readonly after: string; readonly limit: number },
    ): readonly TaskRow[] => {
      const values = { ...filters, groupId: groupId ?? "", ...page };
      return ofGroup(values).all(values);
    },
    listTasks: (ids: readonly string[], filters: TimelineFilters): readonly TaskRow[] => {
      const values = { ...filters, ids: JSON.stringify(ids) };
      return byIds(values).all(values);
    },
    listEnds: (of: EndsOf): readonly ShownRun[] => ends.all({ ...of }),
    /** Counts the runs of a task that ended in the period by their place in it, each with the rank of its worst state. */
    countPlaces: (of: EndsOf & { readonly width: number }): readonly CountedPlace[] => countMarks(places({ ...of })),
    /** Lists the runs that ended in the period, in another place than that in which they began. The longest comes first. */
    listLasting: (of: EndsOf & { readonly width: number }): readonly ShownRun[] => lasting.all({ ...of }),
    /** Lists the runs that ended in the period and have other scheduled times merged into them. The last end comes first. */
    listMerged: (of: EndsOf & { readonly max: number }): readonly ShownRun[] => merged.all({ ...of }),
    listUnfinished: (taskId: string, until: Instant, max: number): readonly ShownRun[] => [
      ...live.all({ taskId, until, max }),
      ...queued.all({ taskId, until, max }),
    ],
    /** Lists the runs that were queued last before an instant, without skipped ones. */
    listLastQueued: (taskId: string, until: Instant, max: number): readonly ShownRun[] =>
      lastQueued.all({ taskId, until, max }),
  };
}

/** The runs of a task that ended at `from` or later, and before `until`. */
export interface EndsOf {
  readonly taskId: string;
  readonly from: Instant;
  readonly until: Instant;
}

export type ShownRun = Pick<typeof runs.$inferSelect, keyof typeof shown>;
