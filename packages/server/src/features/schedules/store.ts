import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, min, ne, sql } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import type { Page } from "../../kernel/storage/page.ts";
import {
  behind,
  pageValues,
  perShape,
  preparedFind,
  preparedInsert,
  preparedUpdate,
  switchedTo,
} from "../../kernel/storage/statements.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { type LabelFilter, selectLabelled } from "../tasks/index.ts";
import { tasks } from "../tasks/table.ts";
import { type ScheduleGap, scheduleGaps, type ScheduleRow, schedules } from "./table.ts";

export interface ScheduleFilters extends LabelFilter {
  readonly taskId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly part?: string | undefined;
}

/** In the order of their next instants; those without one have none to be listed by. */
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
          given("part") ? sql`instr(${schedules.nameKey}, ${placeholder("part")}) > 0` : undefined,
          given("afterId") ? behind(schedules.createdAt, schedules.id) : undefined,
        ),
      )
      .orderBy(desc(schedules.createdAt), desc(schedules.id))
      .limit(placeholder("limit"))
      .prepare(),
  );
  const removal = db
    .delete(schedules)
    .where(eq(schedules.id, placeholder("id")))
    .prepare();

  return {
    find: preparedFind(db, schedules),
    findByName: (taskId: string, nameKey: string) => byName.get({ taskId, nameKey }),
    listOfTask: (taskId: string): readonly ScheduleRow[] => ofTask.all({ taskId }),
    listDue: (now: Instant, limit: number): readonly ScheduleRow[] => due.all({ now, limit }),
    findNextDue: (): Instant | null => nextDue.get()?.at ?? null,
    /** Boot schedules that have not answered for this boot of the machine. */
    listUnbooted: (bootId: string): readonly ScheduleRow[] => bootOnes.all({ bootId }),
    /** Those that have answered for instants after this one: the clock was set back beneath them. */
    listAhead: (after: Instant): readonly ScheduleRow[] => ahead.all({ after }),
    /** Cron schedules whose zone is their group's or the daemon's. */
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
    /** Its gaps go with it. */
    remove: (id: string): void => void removal.run({ id }),
    gaps: createGapStore(db),
  };
}

/** Of each schedule, as many as its task keeps runs by default. */
const gapsKept = 500;

function createGapStore(db: Db) {
  const ofSchedule = eq(scheduleGaps.scheduleId, placeholder("scheduleId"));
  const isChange = eq(scheduleGaps.reason, "changed");
  const isIdle = ne(scheduleGaps.reason, "changed");
  // what a schedule was kept from says more than that its times were others
  const covering = db
    .select()
    .from(scheduleGaps)
    .where(and(ofSchedule, lte(scheduleGaps.fromAt, placeholder("at")), gt(scheduleGaps.untilAt, placeholder("at"))))
    .orderBy(sql`${isChange}`, desc(scheduleGaps.fromAt))
    .limit(1)
    .prepare();
  const open = db
    .select()
    .from(scheduleGaps)
    .where(and(ofSchedule, isIdle, gt(scheduleGaps.untilAt, placeholder("now"))))
    .prepare();
  const openRemoval = db
    .delete(scheduleGaps)
    .where(and(ofSchedule, isIdle, gt(scheduleGaps.untilAt, placeholder("now"))))
    .prepare();
  const changeRemoval = db.delete(scheduleGaps).where(and(ofSchedule, isChange)).prepare();
  const oldestKept = db
    .select({ fromAt: scheduleGaps.fromAt })
    .from(scheduleGaps)
    .where(and(ofSchedule, isIdle))
    .orderBy(desc(scheduleGaps.fromAt))
    .limit(1)
    .offset(gapsKept - 1);
  const pruning = db
    .delete(scheduleGaps)
    .where(and(ofSchedule, isIdle, sql`${scheduleGaps.fromAt} < (${oldestKept})`))
    .prepare();
  // the same span twice: only where a clock was set back
  const insertion = db
    .insert(scheduleGaps)
    .values({
      scheduleId: placeholder("scheduleId"),
      fromAt: placeholder("fromAt"),
      untilAt: placeholder("untilAt"),
      reason: placeholder("reason"),
    })
    .onConflictDoNothing()
    .prepare();

  return {
    find: (scheduleId: string, at: Instant): ScheduleGap | undefined => covering.get({ scheduleId, at }),
    insert: (gap: ScheduleGap): void => {
      insertion.run({ ...gap });
      pruning.run({ scheduleId: gap.scheduleId });
    },
    /** Ends what lasts; a gap that has not begun never was. */
    end: (scheduleId: string, now: Instant): void => {
      const ended = open.all({ scheduleId, now });
      openRemoval.run({ scheduleId, now });
      for (const gap of ended) if (gap.fromAt < now) insertion.run({ ...gap, untilAt: now });
    },
    /** Its times before `untilAt` were others; only the last change matters. */
    noteChange: (change: Omit<ScheduleGap, "reason">): void => {
      changeRemoval.run({ scheduleId: change.scheduleId });
      insertion.run({ ...change, reason: "changed" });
    },
  };
}
