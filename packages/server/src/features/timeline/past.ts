import {
  statesFromWorst,
  type TimelineBucket,
  type TimelinePast,
  timelineMarksMax,
  type TimelineRun,
} from "@belfry/contract";
import { formatInstant, formatInstantOrNull, type Instant } from "../../kernel/time/time.ts";
import type { Buckets } from "./buckets.ts";
import type { CountedPlace, ShownRun, TimelineStore } from "./store.ts";

/** Runs that ended after the period are looked for among so many that were queued before its end. */
const lastQueuedMax = 200;

/** Shows the runs of a task in the period: one by one if they are few, otherwise counted. */
export function readPast(
  store: TimelineStore,
  taskId: string,
  { buckets, now }: { readonly buckets: Buckets; readonly now: Instant },
): TimelinePast {
  const { from, until } = buckets;
  const open = [
    // nothing ends in the future, unless the clock was set back: those runs are found by their ends
    ...(until > now
      ? []
      : store
          .listLastQueued(taskId, until, lastQueuedMax)
          .filter(({ endedAt }) => endedAt !== null && endedAt >= until)),
    ...store.listUnfinished(taskId, until, timelineMarksMax),
  ].map(viewRun);
  const of = { taskId, from, until };
  const counted = store.countPlaces({ ...of, width: buckets.width });
  if (counted.reduce((sum, { count }) => sum + count, 0) <= timelineMarksMax)
    return { kind: "runs", runs: [...store.listEnds(of).map(viewRun), ...open] };
  return { kind: "buckets", runs: open, buckets: counted.map((one) => viewCounted(one, buckets)) };
}

function viewCounted({ place, count, rank }: CountedPlace, { boundOf }: Buckets): TimelineBucket {
  return { from: boundOf(place), until: boundOf(place + 1), count, worst: statesFromWorst[rank]! };
}

function viewRun(run: ShownRun): TimelineRun {
  return {
    id: run.id,
    state: run.state,
    outcome: run.outcome,
    scheduled_for: formatInstant(run.scheduledFor),
    queued_at: formatInstant(run.queuedAt),
    started_at: formatInstantOrNull(run.startedAt),
    ended_at: formatInstantOrNull(run.endedAt),
  };
}
