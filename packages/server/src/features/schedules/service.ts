import type { ScheduleDraft, SchedulePatch } from "@belfry/contract";
import { invalid, notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Page } from "../../kernel/storage/page.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { Tasks } from "../tasks/index.ts";
import { createApplyChange } from "./apply-change.ts";
import { describeTiming, patchedColumns, writtenColumns } from "./columns.ts";
import type { ScheduleFact } from "./facts.ts";
import { recordIdlePeriods } from "./idle-periods.ts";
import { withoutPastPause } from "./idle.ts";
import { createNames } from "./names.ts";
import { refuseNeverRuns } from "./never-runs.ts";
import type { Planner } from "./ticking/plan.ts";
import { isDue, isMoved, replan } from "./ticking/replan.ts";
import type { ScheduleFilters, ScheduleStore } from "./store.ts";
import type { ScheduleRow } from "./table.ts";
import type { Timings } from "./timing-cache.ts";
import { tryToPlan } from "./unplannable.ts";
import { viewSchedule } from "./view.ts";

export interface ScheduleDeps {
  readonly store: ScheduleStore;
  readonly tasks: Tasks;
  readonly planner: Planner;
  readonly timings: Timings;
  readonly log: Log;
  /** A boot schedule created now runs at the next boot. */
  readonly bootId: string;
}

export type Schedules = ReturnType<typeof createSchedules>;

type NewSchedule = ScheduleDraft & {
  readonly task_id: string;
  readonly name?: string | undefined;
  readonly enabled: boolean;
};

export function createSchedules(deps: ScheduleDeps) {
  const { store, tasks, planner, timings, log } = deps;
  const names = createNames(store);
  const apply = createApplyChange(deps);

  const get = (id: string, field: string | null = null): ScheduleRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("schedule", id, field);
    return row;
  };
  const current = (unit: Unit, id: string): ScheduleRow => withoutPastPause(get(id), unit.now);
  /** Makes the row of a new schedule, without a name; throws if the schedule would never run. */
  const draft = (input: ScheduleDraft, of: { readonly id: string; readonly taskId: string }, now: Instant) => {
    const row: ScheduleRow = {
      ...writtenColumns(input, now),
      ...of,
      name: "",
      nameKey: "",
      enabled: true,
      paused: false,
      pausedUntil: null,
      spreadMs: 0,
      cursorAt: now,
      reachedAt: null,
      nextAt: null,
      dueAt: null,
      lastRunAt: null,
      bootId: input.kind === "boot" ? deps.bootId : null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    };
    refuseNeverRuns(row, (each) => timings.check(each, planner.zoneOf(each)), now);
    return { ...row, spreadMs: planner.spreadMsOf(row, now) };
  };

  return {
    get,
    find: store.find,
    view: (row: ScheduleRow, now: Instant) => {
      const task = tasks.get(row.taskId);
      return viewSchedule(row, { taskName: task.name, zone: planner.zoneOf(row, task), now });
    },
    draft,
    list: (filters: ScheduleFilters, page: Page) => store.list(filters, page),
    listOfTask: store.listOfTask,
    listInheriting: store.listInheriting,

    create: (unit: Unit<ScheduleFact>, input: NewSchedule): ScheduleRow => {
      const of = { id: newId("sch"), taskId: tasks.get(input.task_id, "task_id").id };
      const drafted = { ...draft(input, of, unit.now), enabled: input.enabled };
      const name =
        input.name === undefined ? names.choose(of.taskId, describeTiming(drafted)) : names.check(of, input.name);
      const row = { ...drafted, ...name, ...planner.plan(drafted) };
      store.insert(row);
      recordIdlePeriods(store.idlePeriods, { row, before: null, now: unit.now });
      unit.record({ name: "schedule.created", scheduleId: row.id });
      return row;
    },

    update: (unit: Unit<ScheduleFact>, id: string, patch: SchedulePatch): ScheduleRow => {
      const row = current(unit, id);
      const columns = patchedColumns(row, patch, unit.now);
      const name =
        patch.name === undefined
          ? names.follow(row, { from: describeTiming(row), to: describeTiming({ ...row, ...columns }) })
          : names.check(row, patch.name);
      return apply(unit, row, { ...columns, ...name });
    },

    remove: (unit: Unit<ScheduleFact>, id: string): void => {
      get(id);
      store.remove(id);
      unit.record({ name: "schedule.deleted", scheduleId: id });
    },

    setEnabled: (unit: Unit<ScheduleFact>, id: string, enabled: boolean): ScheduleRow =>
      apply(unit, current(unit, id), { enabled }),

    /** Pauses a schedule until a time, or with null until it is resumed. */
    pause: (unit: Unit<ScheduleFact>, id: string, until: Instant | null): ScheduleRow => {
      const row = current(unit, id);
      if (until !== null && until <= unit.now) {
        throw invalid(
          "until",
          "until must be in the future: give a later time, or leave it out to pause until the schedule is resumed",
        );
      }
      return apply(unit, row, { paused: true, pausedUntil: until });
    },

    resume: (unit: Unit<ScheduleFact>, id: string): ScheduleRow =>
      apply(unit, current(unit, id), { paused: false, pausedUntil: null }),

    /**
     * Plans a schedule whose inherited zone may have changed. If it is already due, the ticker replans it, in the new
     * zone.
     */
    replan: (unit: Unit<ScheduleFact>, row: ScheduleRow): void => {
      if (isDue(row, unit.now)) return;
      // the change of a group must not fail because of one of its schedules, which keeps its plan
      const moved = tryToPlan(() => isMoved(deps, row));
      if ("fault" in moved) log.warn("schedule.not_planned", { schedule_id: row.id });
      else if (moved.value) replan(unit, deps, row);
    },
  };
}
