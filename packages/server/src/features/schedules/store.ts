import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, min, sql } from "drizzle-orm";
import type { Db } from "../../kernel/database.ts";
import type { Page } from "../../kernel/page.ts";
import { behind, pageValues, perShape, preparedInsert, preparedUpdate } from "../../kernel/statements.ts";
import type { Instant } from "../../kernel/time.ts";
import { tasks } from "../tasks/table.ts";
import { type ScheduleGap, scheduleGaps, type ScheduleRow, schedules } from "./table.ts";

export interface ScheduleFilters {
  readonly taskId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly part?: string | undefined;
}

export type ScheduleStore = ReturnType<typeof createScheduleStore>;

/** Until when a gap lasts that nobody has ended yet. */
export const openEnd = Number.MAX_SAFE_INTEGER;

const { placeholder } = sql;

export function createScheduleStore(db: Db) {
  const byId = db
    .select()
    .from(schedules)
    .where(eq(schedules.id, placeholder("id")))
    .prepare();
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
    .where(eq(schedules.kind, "boot"))
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
  const planned = db.select().from(schedules).where(isNotNull(schedules.dueAt)).prepare();
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
          given("enabled") ? eq(schedules.enabled, placeholder("enabled")) : undefined,
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
  const gapAt = db
    .select()
    .from(scheduleGaps)
    .where(
      and(
        eq(scheduleGaps.scheduleId, placeholder("scheduleId")),
        lte(scheduleGaps.fromAt, placeholder("at")),
        gt(scheduleGaps.untilAt, placeholder("at")),
      ),
    )
    .orderBy(desc(scheduleGaps.fromAt))
    .limit(1)
    .prepare();
  const openGaps = db
    .select()
    .from(scheduleGaps)
    .where(and(eq(scheduleGaps.scheduleId, placeholder("scheduleId")), gt(scheduleGaps.untilAt, placeholder("now"))))
    .prepare();
  const insertGap = preparedInsert(db, scheduleGaps);
  const gapRemoval = db
    .delete(scheduleGaps)
    .where(
      and(
        eq(scheduleGaps.scheduleId, placeholder("scheduleId")),
        eq(scheduleGaps.fromAt, placeholder("fromAt")),
        eq(scheduleGaps.untilAt, placeholder("untilAt")),
      ),
    )
    .prepare();

  return {
    find: (id: string): ScheduleRow | undefined => byId.get({ id }),
    findByName: (taskId: string, nameKey: string) => byName.get({ taskId, nameKey }),
    listOfTask: (taskId: string): readonly ScheduleRow[] => ofTask.all({ taskId }),
    listDue: (now: Instant, limit: number): readonly ScheduleRow[] => due.all({ now, limit }),
    findNextDue: (): Instant | null => nextDue.get()?.at ?? null,
    listBoot: (): readonly ScheduleRow[] => bootOnes.all(),
    /** Those that have answered for instants after this one: the clock was set back beneath them. */
    listAhead: (after: Instant): readonly ScheduleRow[] => ahead.all({ after }),
    /** Cron schedules whose zone is their group's or the daemon's. */
    listInheriting: (): readonly ScheduleRow[] => inheriting.all(),
    listPlanned: (): readonly ScheduleRow[] => planned.all(),
    list: (filters: ScheduleFilters, page: Page): readonly ScheduleRow[] => {
      const values = { ...filters, ...pageValues(page) };
      return listing(values).all(values);
    },
    insert: preparedInsert(db, schedules),
    update: preparedUpdate(db, schedules),
    remove: (id: string): void => void removal.run({ id }),

    findGap: (scheduleId: string, at: Instant): ScheduleGap | undefined => gapAt.get({ scheduleId, at }),
    openGap: (gap: ScheduleGap): void => insertGap(gap),
    /** Ends what is open; a gap that had not begun yet never was. */
    closeGaps: (scheduleId: string, now: Instant): void => {
      for (const gap of openGaps.all({ scheduleId, now })) {
        gapRemoval.run({ ...gap });
        if (gap.fromAt < now) insertGap({ ...gap, untilAt: now });
      }
    },
  };
}
