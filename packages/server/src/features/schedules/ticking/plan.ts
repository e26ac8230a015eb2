import type { Instant } from "../../../kernel/time/time.ts";
import type { TaskRow, Tasks } from "../../tasks/index.ts";
import { cursorOf, idleOf, openEnd } from "../idle.ts";
import { spreadMsOf } from "../spread.ts";
import type { ScheduleRow } from "../table.ts";
import type { CompiledTiming } from "../timing/compile-timing.ts";
import { dueOf, type Timings } from "../timing-cache.ts";

export interface PlanDeps {
  readonly tasks: Tasks;
  readonly timings: Timings;
  /** The daemon's zone, for schedules whose groups name none. */
  readonly zone: string;
}

/** The next instant of a schedule, and when it is due with its delay. */
export interface Plan {
  readonly nextAt: Instant | null;
  readonly dueAt: Instant | null;
}

export type Planner = ReturnType<typeof createPlanner>;

export function createPlanner({ tasks, timings, zone }: PlanDeps) {
  /**
   * Returns the zone of the schedule, else of its nearest group, else of the daemon. A caller that has the task passes
   * it, which saves a read.
   */
  const zoneOf = (row: Pick<ScheduleRow, "taskId" | "timeZone">, known?: TaskRow): string => {
    if (row.timeZone !== null) return row.timeZone;
    const task = known ?? tasks.find(row.taskId);
    return (task === undefined ? null : tasks.timeZoneOf(task)) ?? zone;
  };
  const timingOf = (row: ScheduleRow, task?: TaskRow): CompiledTiming => timings.of(row, zoneOf(row, task));

  return {
    zoneOf,
    timingOf,
    hasClockGap: timings.hasClockGap,
    /** Returns the constant delay of a schedule whose timing is valid. */
    spreadMsOf: (row: ScheduleRow, now: Instant): number =>
      spreadMsOf(row, () => ({ timing: timingOf(row), zone: timings.zoneOf(zoneOf(row)), now })),
    /**
     * Computes the plan. It is empty while the schedule is disabled or paused without end, and once it has no more
     * instants.
     */
    plan: (row: ScheduleRow, timing?: CompiledTiming): Plan => {
      if (idleOf(row)?.until === openEnd) return { nextAt: null, dueAt: null };
      const nextAt = (timing ?? timingOf(row)).next(cursorOf(row));
      return { nextAt, dueAt: nextAt === null ? null : dueOf(row, nextAt) };
    },
  };
}
