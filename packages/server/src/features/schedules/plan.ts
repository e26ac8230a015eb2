import type { Instant } from "../../kernel/time.ts";
import type { Tasks } from "../tasks/index.ts";
import { cursorOf, idleOf, openEnd } from "./idle.ts";
import type { ScheduleRow } from "./table.ts";
import type { CompiledTiming } from "./timing/next-occurrence.ts";
import { dueOf, type Timings } from "./timings.ts";

export interface PlanDeps {
  readonly tasks: Tasks;
  readonly timings: Timings;
  /** The daemon's zone, for schedules whose groups name none. */
  readonly zone: string;
}

/** Where a schedule stands: its next instant, and when that falls due with its jitter. */
export interface Plan {
  readonly nextAt: Instant | null;
  readonly dueAt: Instant | null;
}

export type Planner = ReturnType<typeof createPlanner>;

export function createPlanner({ tasks, timings, zone }: PlanDeps) {
  /** The schedule's own, else its nearest group's, else the daemon's. */
  const zoneOf = (row: Pick<ScheduleRow, "taskId" | "timeZone">): string => {
    if (row.timeZone !== null) return row.timeZone;
    const task = tasks.find(row.taskId);
    return (task === undefined ? null : tasks.timeZoneOf(task)) ?? zone;
  };
  const timingOf = (row: ScheduleRow): CompiledTiming => timings.of(row, zoneOf(row));

  return {
    zoneOf,
    timingOf,
    /** None while it is disabled or paused without end, and none when it is over. */
    plan: (row: ScheduleRow): Plan => {
      if (idleOf(row)?.until === openEnd) return { nextAt: null, dueAt: null };
      const nextAt = timingOf(row).next(cursorOf(row));
      return { nextAt, dueAt: nextAt === null ? null : dueOf(row, nextAt) };
    },
  };
}
