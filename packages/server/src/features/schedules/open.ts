import type { Clock } from "../../kernel/time/clock.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { Write } from "../../kernel/storage/write.ts";
import type { DescribeRun, Requests, RunFact, RunStore } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import { createListComing } from "./answers/coming.ts";
import { createExplainSchedules } from "./answers/explain.ts";
import type { ScheduleFact } from "./facts.ts";
import { scheduleEvents } from "./events.ts";
import { serveSchedules } from "./operations.ts";
import { createScheduleReactions } from "./reactions.ts";
import { createSchedules } from "./service.ts";
import { createScheduleStore, type ScheduleStore } from "./store.ts";
import { createHoldReactions } from "./ticking/record-held.ts";
import { createPlanner } from "./ticking/plan.ts";
import { createTicker } from "./ticking/ticker.ts";
import { createTimings } from "./timing-cache.ts";

/** The rows of schedules, opened first: the tasks module, a layer below, shows the next run of each task. */
export const openScheduleRows: (db: Db) => ScheduleStore = createScheduleStore;

export interface SchedulesParts {
  readonly store: ScheduleStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<ScheduleFact | RunFact>;
  /** The daemon's time zone. */
  readonly zone: string;
  /** Identifies the current boot of the machine. */
  readonly bootId: string;
  readonly tasks: Tasks;
  readonly runs: RunStore;
  readonly requests: Requests;
  readonly describeRun: DescribeRun;
  /** Releases the holds whose time has come. */
  readonly releaseExpired: () => void;
}

export function openSchedules({ store, zone, ...parts }: SchedulesParts) {
  const { tasks, runs, clock, describeRun } = parts;
  const timings = createTimings();
  const planner = createPlanner({ tasks, timings, zone });
  const schedules = createSchedules({ ...parts, store, planner, timings });
  const ticker = createTicker({ ...parts, store, planner });
  return {
    service: schedules,
    ticker,
    loops: [ticker],
    listComing: createListComing({ store, tasks, planner }),
    explain: createExplainSchedules({ store, runs, planner, describeRun }),
    operations: serveSchedules({ schedules, tasks, planner, store }),
    events: scheduleEvents(schedules, clock),
    revisions: { schedule: (id: string) => schedules.find(id)?.revision },
    ...createScheduleReactions(schedules),
    ...createHoldReactions({ ...parts, store, planner }),
  };
}
