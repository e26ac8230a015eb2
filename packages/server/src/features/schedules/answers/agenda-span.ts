import type { Instant } from "../../../kernel/time/time.ts";
import type { TaskRow, Tasks } from "../../tasks/index.ts";
import type { Planner } from "../ticking/plan.ts";
import type { ScheduleStore } from "../store.ts";

export interface AgendaDeps {
  readonly store: ScheduleStore;
  readonly tasks: Tasks;
  readonly planner: Planner;
}

/** The instants from `from` to `until`, both included. */
export interface Span {
  readonly from: Instant;
  readonly until: Instant;
  readonly limit: number;
}

/** Which tasks an agenda is of, and whether schedules with many instants are one entry. */
export interface AgendaRequest extends Span {
  readonly taskId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly isCollapsed: boolean;
}

/** Returns the task if it can start, or null. */
export type ReadyTask = (taskId: string) => TaskRow | null;
