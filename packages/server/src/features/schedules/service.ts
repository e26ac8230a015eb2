import type { ScheduleCreate, ScheduleDraft, SchedulePatch } from "@belfry/contract";
import { changedMembers } from "../../kernel/change.ts";
import { AppError, invalid, notFound } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { nameKey } from "../../kernel/names.ts";
import type { Page } from "../../kernel/page.ts";
import type { Instant } from "../../kernel/time.ts";
import type { Unit } from "../../kernel/write.ts";
import type { Tasks } from "../tasks/index.ts";
import { describeTiming, patchColumns, timedColumns } from "./columns.ts";
import type { ScheduleFact } from "./facts.ts";
import type { Planner } from "./plan.ts";
import { openEnd, type ScheduleFilters, type ScheduleStore } from "./store.ts";
import type { ScheduleRow } from "./table.ts";
import { checkZone, compileInput, type Timings } from "./timings.ts";
import { viewSchedule } from "./view.ts";

export interface ScheduleDeps {
  readonly store: ScheduleStore;
  readonly tasks: Tasks;
  readonly planner: Planner;
  readonly timings: Timings;
  /** A boot schedule made now waits for the next boot. */
  readonly bootId: string;
}

export type Schedules = ReturnType<typeof createSchedules>;

export function createSchedules(deps: ScheduleDeps) {
  const { store, tasks, planner } = deps;

  const get = (id: string, field: string | null = null): ScheduleRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("schedule", id, field);
    return row;
  };
  const view = (row: ScheduleRow, now: Instant) =>
    viewSchedule(row, { taskName: tasks.find(row.taskId)?.name ?? "", zone: planner.zoneOf(row), now });

  /** A row as a draft would make it; refused with the member at fault when it could never run. */
  const draftRow = (
    of: { readonly taskId: string; readonly id: string; readonly name: string | null },
    input: ScheduleDraft | ScheduleCreate,
    now: Instant,
  ): ScheduleRow => {
    const timed = timedColumns(input, now);
    const timeZone = timed.timeZone === null ? null : checkZone(timed.timeZone, "time_zone");
    const name = of.name ?? describeTiming(timed);
    const row: ScheduleRow = {
      ...timed,
      timeZone,
      id: of.id,
      taskId: of.taskId,
      name,
      nameKey: nameKey(name),
      enabled: true,
      paused: false,
      pausedUntil: null,
      cursorAt: now,
      nextAt: null,
      dueAt: null,
      lastRunAt: null,
      bootId: timed.kind === "boot" ? deps.bootId : null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    };
    checkTiming(row, now);
    return row;
  };

  return {
    get,
    find: store.find,
    view,
    draftRow,
    list: (filters: ScheduleFilters, page: Page) => store.list(filters, page),

    create: (
      unit: Unit<ScheduleFact>,
      input: ScheduleDraft & {
        readonly task_id: string;
        readonly name?: string | undefined;
        readonly enabled: boolean;
      },
    ): ScheduleRow => {
      const task = tasks.get(input.task_id, "task_id");
      const drafted = draftRow({ taskId: task.id, id: newId("sch"), name: input.name ?? null }, input, unit.now);
      const named = { ...drafted, ...nameFor(drafted, input.name !== undefined), enabled: input.enabled };
      const row = { ...named, ...planner.plan(named) };
      store.insert(row);
      if (!row.enabled) store.openGap({ scheduleId: row.id, fromAt: unit.now, untilAt: openEnd, reason: "disabled" });
      unit.record({ name: "schedule.created", scheduleId: row.id });
      return row;
    },

    update: (unit: Unit<ScheduleFact>, id: string, patch: SchedulePatch): ScheduleRow => {
      const row = get(id);
      const change = patchColumns(row, patch, unit.now);
      if (typeof change.timeZone === "string") change.timeZone = checkZone(change.timeZone, "time_zone");
      if (patch.name !== undefined)
        Object.assign(change, { name: patch.name, nameKey: checkName(row.taskId, patch.name, id) });
      const next = { ...row, ...change };
      checkTiming(next, patch.at === undefined ? null : unit.now);
      if (change.enabled !== undefined && change.enabled !== row.enabled)
        return setEnabled(unit, { ...row, ...change, enabled: row.enabled }, change.enabled, change);
      return applyChange(unit, row, change);
    },

    remove: (unit: Unit<ScheduleFact>, id: string): void => {
      get(id);
      store.remove(id);
      unit.record({ name: "schedule.deleted", scheduleId: id });
    },

    setEnabled: (unit: Unit<ScheduleFact>, id: string, enabled: boolean): ScheduleRow => {
      const row = get(id);
      return row.enabled === enabled ? row : setEnabled(unit, row, enabled, {});
    },

    pause: (unit: Unit<ScheduleFact>, id: string, until: Instant | null): ScheduleRow => {
      const row = get(id);
      if (until !== null && until <= unit.now)
        throw invalid("until", "must lie ahead; leave it out to pause until resumed");
      store.closeGaps(id, unit.now);
      store.openGap({ scheduleId: id, fromAt: unit.now, untilAt: until ?? openEnd, reason: "paused" });
      if (!row.enabled) store.openGap({ scheduleId: id, fromAt: unit.now, untilAt: openEnd, reason: "disabled" });
      return applyChange(unit, row, { paused: true, pausedUntil: until });
    },

    resume: (unit: Unit<ScheduleFact>, id: string): ScheduleRow => {
      const row = get(id);
      if (!row.paused) return row;
      store.closeGaps(id, unit.now);
      if (!row.enabled) store.openGap({ scheduleId: id, fromAt: unit.now, untilAt: openEnd, reason: "disabled" });
      const wasOver = row.pausedUntil !== null && row.pausedUntil <= unit.now;
      return applyChange(unit, row, { paused: false, pausedUntil: null, ...(wasOver ? {} : { cursorAt: unit.now }) });
    },

    /** Its zone may be another now: what lies ahead is planned anew, what lies behind stays answered for. */
    replan: (unit: Unit<ScheduleFact>, row: ScheduleRow): void => {
      const moved = { ...row, cursorAt: Math.max(row.cursorAt, unit.now) };
      const plan = planner.plan(moved);
      if (plan.nextAt === row.nextAt) return;
      store.update(row.id, { cursorAt: moved.cursorAt, ...plan });
      unit.record({ name: "schedule.planned", scheduleId: row.id });
    },
    listInheriting: store.listInheriting,
    listOfTask: store.listOfTask,
  };

  function setEnabled(
    unit: Unit<ScheduleFact>,
    row: ScheduleRow,
    enabled: boolean,
    change: Partial<ScheduleRow>,
  ): ScheduleRow {
    store.closeGaps(row.id, unit.now);
    if (!enabled) store.openGap({ scheduleId: row.id, fromAt: unit.now, untilAt: openEnd, reason: "disabled" });
    if (row.paused)
      store.openGap({ scheduleId: row.id, fromAt: unit.now, untilAt: row.pausedUntil ?? openEnd, reason: "paused" });
    return applyChange(unit, get(row.id), { ...change, enabled, ...(enabled ? { cursorAt: unit.now } : {}) });
  }

  /** What a patch moves is counted from now: an instant of the former timing is never due after it, nor one of the new before. */
  function applyChange(unit: Unit<ScheduleFact>, row: ScheduleRow, change: Partial<ScheduleRow>): ScheduleRow {
    const { cursorAt, ...written } = change;
    const changed = changedMembers(row, written);
    if (changed.length === 0) return row;
    const isRetimed = changed.some((member) => retiming.has(member));
    const next = {
      ...row,
      ...change,
      ...(isRetimed ? { cursorAt: Math.max(unit.now, row.cursorAt) } : cursorAt === undefined ? {} : { cursorAt }),
      updatedAt: unit.now,
      revision: row.revision + 1,
    };
    const planned = { ...next, ...planner.plan(next) };
    const { id: _id, ...columns } = planned;
    store.update(row.id, columns);
    unit.record({
      name: "schedule.updated",
      scheduleId: row.id,
      changed: changed.filter((member) => member !== "anchor_at"),
    });
    return planned;
  }

  /** `mustLieAhead` is now for an instant just written, null for one that may have passed since. */
  function checkTiming(row: ScheduleRow, mustLieAhead: Instant | null): void {
    const compiled = compileInput(row, planner.zoneOf(row));
    if (row.startsAt !== null && row.endsAt !== null && row.endsAt < row.startsAt)
      throw invalid("ends_at", "must not lie before starts_at");
    if (row.kind === "boot" || mustLieAhead === null) return;
    if (row.kind === "once" && row.at! <= mustLieAhead) throw invalid("at", "lies in the past: give a time ahead");
    if (compiled.next(mustLieAhead) === null)
      throw invalid(
        row.endsAt === null ? "expression" : "ends_at",
        "this schedule would never run: no instant lies ahead of it",
      );
  }

  function checkName(taskId: string, name: string, own: string | null): string {
    const key = nameKey(name);
    const other = store.findByName(taskId, key);
    if (other !== undefined && other.id !== own)
      throw new AppError("validation_failed", `this task has a schedule named ${JSON.stringify(name)} already`, {
        field: "name",
      });
    return key;
  }

  /** A name that nobody chose gives way: the second `0 3 * * *` of a task is `0 3 * * * (2)`. */
  function nameFor(row: ScheduleRow, isChosen: boolean): Pick<ScheduleRow, "name" | "nameKey"> {
    if (isChosen) return { name: row.name, nameKey: checkName(row.taskId, row.name, null) };
    for (let number = 1; ; number++) {
      const name = number === 1 ? row.name : `${row.name} (${number})`;
      if (store.findByName(row.taskId, nameKey(name)) === undefined) return { name, nameKey: nameKey(name) };
    }
  }
}

const retiming: ReadonlySet<string> = new Set([
  "expression",
  "every",
  "at",
  "time_zone",
  "dst_gap",
  "dst_overlap",
  "jitter",
  "starts_at",
  "ends_at",
  "anchor_at",
]);
