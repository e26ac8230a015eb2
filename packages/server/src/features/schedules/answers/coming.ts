import { type TimelineFuture, timelineMarksMax, type TimelineRow } from "@belfry/contract";
import { formatInstant, type Instant } from "../../../kernel/time/time.ts";
import type { TaskRow, Tasks } from "../../tasks/index.ts";
import { cursorOf } from "../idle.ts";
import type { ScheduleStore } from "../store.ts";
import type { ScheduleRow } from "../table.ts";
import type { Planner } from "../ticking/plan.ts";
import type { CompiledTiming } from "../timing/compile-timing.ts";
import { tryToPlan } from "../unplannable.ts";
import { unplannable } from "./why-sentences.ts";

export interface ComingDeps {
  readonly store: ScheduleStore;
  readonly tasks: Tasks;
  readonly planner: Planner;
}

interface Period {
  readonly from: Instant;
  readonly until: Instant;
  readonly buckets: number;
}

interface Planned {
  readonly row: ScheduleRow;
  readonly timing: CompiledTiming;
  /** The instant after which its times are still to come. */
  readonly after: Instant;
}

/** Lists the scheduled times of a task that are still to come: one by one if they are few, otherwise counted. */
export function createListComing({ store, tasks, planner }: ComingDeps) {
  const counter = createCounter();
  return (
    task: TaskRow,
    { from, until, buckets }: Period,
  ): { readonly future: TimelineFuture; readonly unplanned: TimelineRow["unplanned"] } => {
    const unplanned: TimelineRow["unplanned"] = [];
    const planned: Planned[] = [];
    // a hold does not hide the runs after its release
    const canRun = ["ready", "held"].includes(tasks.obstacleOf(task));
    for (const row of from < until && canRun ? store.listOfTask(task.id) : []) {
      if (row.dueAt === null) continue;
      const timing = tryToPlan(() => planner.timingOf(row, task));
      if ("fault" in timing) unplanned.push({ schedule_id: row.id, reason: unplannable(timing.fault) });
      else planned.push({ row, timing: timing.value, after: Math.max(from - 1, cursorOf(row)) });
    }
    const count = planned.reduce((sum, { timing, after }) => sum + counter.count(timing, after, until - 1), 0);
    if (count <= timelineMarksMax) return { future: listTimes(planned, until), unplanned };
    return { future: { kind: "buckets", buckets: countTimes(planned, { from, until, buckets }, counter) }, unplanned };
  };
}

function listTimes(planned: readonly Planned[], until: Instant): TimelineFuture {
  const times: { readonly at: Instant; readonly schedule_id: string }[] = [];
  for (const { row, timing, after } of planned)
    for (let at = timing.next(after); at !== null && at < until; at = timing.next(at))
      times.push({ at, schedule_id: row.id });
  times.sort((one, other) => one.at - other.at);
  return { kind: "times", times: times.map(({ at, schedule_id }) => ({ at: formatInstant(at), schedule_id })) };
}

function countTimes(planned: readonly Planned[], { from, until, buckets }: Period, counter: Counter) {
  const width = Math.ceil((until - from) / buckets);
  const found: { from: string; until: string; count: number }[] = [];
  for (let begin = from; begin < until; begin += width) {
    const end = Math.min(begin + width, until);
    const count = planned.reduce(
      (sum, { timing, after }) => sum + counter.count(timing, Math.max(begin - 1, after), end - 1),
      0,
    );
    if (count > 0) found.push({ from: formatInstant(begin), until: formatInstant(end), count });
  }
  return found;
}

type Counter = ReturnType<typeof createCounter>;

/**
 * Remembers the last counts of each timing. Schedules with the same times have the same timing, so the rows of one
 * timeline count them once.
 */
function createCounter() {
  const known = new WeakMap<CompiledTiming, Map<string, number>>();
  return {
    count: (timing: CompiledTiming, after: Instant, until: Instant): number => {
      let counts = known.get(timing);
      if (counts === undefined || counts.size >= countsKept) known.set(timing, (counts = new Map<string, number>()));
      const key = `${after} ${until}`;
      let count = counts.get(key);
      if (count === undefined) counts.set(key, (count = timing.count(after, until)));
      return count;
    },
  };
}

/** More than one timeline counts of one timing, unless its schedules began at different times. */
const countsKept = 100;
