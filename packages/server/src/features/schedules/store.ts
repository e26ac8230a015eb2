import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, min, ne, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import {
  afterCursor,
  pageValues,
  perShape,
  preparedFind,
  preparedInsert,
  preparedNumbers,
  preparedRemove,
  preparedUpdate,
  switchedTo,
} from "../../kernel/storage/statements.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { type LabelFilter, selectLabelled } from "../tasks/index.ts";
import { tasks } from "../tasks/table.ts";
import { type IdlePeriod, idlePeriods, type ScheduleRow, schedules } from "./table.ts";

export interface ScheduleFilters extends LabelFilter {
  readonly taskId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly namePart?: string | undefined;
}

/** A page of planned schedules in the order of their next instants. */
export interface PlannedFrom {
  readonly until: Instant;
  readonly after: { readonly nextAt: Instant; readonly id: string };
  readonly limit: number;
}

export type ScheduleStore = ReturnType<typeof createScheduleStore>;

const { placeholder } = sql;

export function createScheduleStore(db: Db) {
  const byName = db
    .select({ id: schedules.id })
    .from(schedules)
    .where(and(eq(schedules.taskId, placeholder("taskId")), eq(schedules.nameKey, placeholder("nameKey"))))
    .prepare();
  const ofTask = db
    .select()
    .from(schedules)
    .where(eq(schedules.taskId, placeholder("taskId")))
    .orderBy(asc(schedules.createdAt), asc(schedules.id))
    .prepare();
  const due = db
    .select()
    .from(schedules)
    .where(and(isNotNull(schedules.dueAt), lte(schedules.dueAt, placeholder("now"))))
    .orderBy(asc(schedules.dueAt))
    .limit(placeholder("limit"))
    .prepare();
  const nextDue = db
    .select({ at: min(schedules.dueAt) })
    .from(schedules)
    .where(isNotNull(schedules.dueAt))
    .prepare();
  const dueAt = db
    .select({ at: schedules.dueAt })
    .from(schedules)
    .where(eq(schedules.dueAt, placeholder("at")))
    .limit(placeholder("limit"))
    .prepare();
  const bootOnes = db
    .select()
    .from(schedules)
    .where(and(eq(schedules.kind, "boot"), ne(schedules.bootId, placeholder("bootId"))))
    .orderBy(asc(schedules.createdAt), asc(schedules.id))
    .prepare();
  const ahead = db
    .select()
    .from(schedules)
    .where(gt(schedules.cursorAt, placeholder("after")))
    .prepare();
  const nextOfTask = preparedNumbers(
    db,
    db
      .select({ at: schedules.nextAt })
      .from(schedules)
      .where(and(eq(schedules.taskId, placeholder("taskId")), isNotNull(schedules.nextAt)))
      .orderBy(asc(schedules.nextAt))
      .limit(1),
  );
  const inheriting = db
    .select()
    .from(schedules)
    .where(and(eq(schedules.kind, "cron"), isNull(schedules.timeZone)))
    .prepare();
  const plannedCron = db
    .select()
    .from(schedules)
    .where(and(gt(schedules.id, placeholder("after")), eq(schedules.kind, "cron"), isNotNull(schedules.dueAt)))
    .orderBy(asc(schedules.id))
    .limit(placeholder("limit"))
    .prepare();
  const planned = db
    .select()
    .from(schedules)
    .where(
      and(
        isNotNull(schedules.dueAt),
        lte(schedules.nextAt, placeholder("until")),
        sql`(${schedules.nextAt}, ${schedules.id}) > (${placeholder("afterAt")}, ${placeholder("afterId")})`,
      ),
    )
    .orderBy(asc(schedules.nextAt), asc(schedules.id))
    .limit(placeholder("limit"))
    .prepare();
  const listing = perShape((given) =>
    db
      .select()
      .from(schedules)
      .where(
        and(
          given("taskId") ? eq(schedules.taskId, placeholder("taskId")) : undefined,
          given("groupId")
            ? inArray(
                schedules.taskId,
                db
                  .select({ id: tasks.id })
                  .from(tasks)
                  .where(eq(tasks.groupId, placeholder("groupId"))),
              )
            : undefined,
          given("labelKey") ? inArray(schedules.taskId, selectLabelled(db, given)) : undefined,
          given("enabled")
            ? switchedTo(schedules.enabled, { isFound: !["taskId", "groupId", "labelKey"].some(given) })
            : undefined,
          given("namePart") ? sql`instr(${schedules.nameKey}, ${placeholder("namePart")}) > 0` : undefined,
          given("afterId") ? afterCursor(schedules.createdAt, schedules.id) : undefined,
        ),
      )
      .orderBy(desc(schedules.createdAt), desc(schedules.id))
      .limit(placeholder("limit"))
      .prepare(),
  );

  return {
    find: preparedFind(db, schedules),
    findByName: (taskId: string, nameKey: string) => byName.get({ taskId, nameKey }),
    listOfTask: (taskId: string): readonly ScheduleRow[] => ofTask.all({ taskId }),
    listDue: (now: Instant, limit: number): readonly ScheduleRow[] => due.all({ now, limit }),
    findNextDue: (): Instant | null => nextDue.get()?.at ?? null,
    /** Counts the schedules that are due at an instant, up to the limit. */
    countDueAt: (at: Instant, limit: number): number => dueAt.all({ at, limit }).length,
    /** Lists boot schedules that have not handled this boot of the machine. */
    listUnbooted: (bootId: string): readonly ScheduleRow[] => bootOnes.all({ bootId }),
    /** Lists schedules whose cursor is after this instant, because the clock was set back. */
    listAhead: (after: Instant): readonly ScheduleRow[] => ahead.all({ after }),
    /** Finds the next instant of a task's schedules. */
    findNextRun: (taskId: string): Instant | null => nextOfTask({ taskId })[0] ?? null,
    /** Lists cron schedules that inherit their time zone from a group or the daemon. */
    listInheriting: (): readonly ScheduleRow[] => inheriting.all(),
    listPlannedCron: (after: string, limit: number): readonly ScheduleRow[] => plannedCron.all({ after, limit }),
    listPlanned: ({ until, after, limit }: PlannedFrom): readonly ScheduleRow[] =>
      planned.all({ until, limit, afterAt: after.nextAt, afterId: after.id }),
    list: (filters: ScheduleFilters, page: Page): readonly ScheduleRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    insert: preparedInsert(db, schedules),
    update: preparedUpdate(db, schedules),
    /** A foreign key deletes its idle periods too. */
    remove: preparedRemove(db, schedules),
    idlePeriods: createIdlePeriodStore(db),
  };
}

/** The number of idle periods to keep for each schedule: as many as a task keeps runs by default. */
const periodsKept = 500;

export type IdlePeriodStore = ReturnType<typeof createIdlePeriodStore>;

function createIdlePeriodStore(db: Db) {
  const ofSchedule = eq(idlePeriods.scheduleId, placeholder("scheduleId"));
  const isChange = eq(idlePeriods.reason, "changed");
  const isIdle = ne(idlePeriods.reason, "changed");
  // a pause explains more than a change of the times, so it comes first
  const covering = db
    .select()
    .from(idlePeriods)
    .where(and(ofSchedule, lte(idlePeriods.fromAt, placeholder("at")), gt(idlePeriods.untilAt, placeholder("at"))))
    .orderBy(sql`${isChange}`, desc(idlePeriods.fromAt))
    .limit(1)
    .prepare();
  const open = db
    .select()
    .from(idlePeriods)
    .where(and(ofSchedule, isIdle, gt(idlePeriods.untilAt, placeholder("now"))))
    .prepare();
  const openRemoval = db
    .delete(idlePeriods)
    .where(and(ofSchedule, isIdle, gt(idlePeriods.untilAt, placeholder("now"))))
    .prepare();
  const changeRemoval = db.delete(idlePeriods).where(and(ofSchedule, isChange)).prepare();
  const oldestKept = db
    .select({ fromAt: idlePeriods.fromAt })
    .from(idlePeriods)
    .where(and(ofSchedule, isIdle))
    .orderBy(desc(idlePeriods.fromAt))
    .limit(1)
    .offset(periodsKept - 1);
  const pruning = db
    .delete(idlePeriods)
    .where(and(ofSchedule, isIdle, sql`${idlePeriods.fromAt} < (${oldestKept})`))
    .prepare();
  // a period can exist already only if a clock was set back
  const insertion = db
    .insert(idlePeriods)
    .values({
      scheduleId: placeholder("scheduleId"),
      fromAt: placeholder("fromAt"),
      untilAt: placeholder("untilAt"),
      reason: placeholder("reason"),
    })
    .onConflictDoNothing()
    .prepare();

  return {
    find: (scheduleId: string, at: Instant): IdlePeriod | undefined => covering.get({ scheduleId, at }),
    insert: (period: IdlePeriod): void => {
      insertion.run({ ...period });
      pruning.run({ scheduleId: period.scheduleId });
    },
    /** Ends the current period, or removes it if it has not begun. */
    end: (scheduleId: string, now: Instant): void => {
      const ended = open.all({ scheduleId, now });
      openRemoval.run({ scheduleId, now });
      for (const period of ended) if (period.fromAt < now) insertion.run({ ...period, untilAt: now });
    },
    /** Records that the schedule had other times before `untilAt`; only the last change is kept. */
    recordChange: (change: Omit<IdlePeriod, "reason">): void => {
      changeRemoval.run({ scheduleId: change.scheduleId });
      insertion.run({ ...change, reason: "changed" });
    },
  };
}
