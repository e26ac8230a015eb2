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
  const lasting = listLasting(store, { taskId, counted, buckets, now });
  const merged = store.listMerged({ ...of, max: timelineMarksMax });
  const own = new Map([...lasting, ...merged].map((run) => [run.id, viewRun(run)]));
  return {
    kind: "buckets",
    runs: [...own.values(), ...open],
    buckets: counted.map((one) => viewCounted(one, buckets)),
  };
}

interface Counted {
  readonly taskId: string;
  readonly counted: readonly CountedPlace[];
  readonly buckets: Buckets;
  readonly now: Instant;
}

/** Lists the runs that lasted through parts in which no run ended: without them, nothing seems to have run there. */
function listLasting(store: TimelineStore, { taskId, counted, buckets, now }: Counted): readonly ShownRun[] {
  const { from, until, width, placeOf } = buckets;
  const gaps = gapsBefore(counted);
  if (gaps.at(-1) === 0) return [];
  const lasted = store.listLasting({ taskId, from, until: Math.min(until, now), width }).filter((run) => {
    const [first, last] = [placeOf(run.startedAt!), placeOf(run.endedAt!)];
    return gaps[last]! > gaps[first]!;
  });
  return lasted.slice(0, timelineMarksMax);
}

/** How many of the parts before each part are empty, up to the last one that is not. */
function gapsBefore(counted: readonly CountedPlace[]): readonly number[] {
  const gaps: number[] = [];
  for (const [index, { place }] of counted.entries()) {
    const before = (counted[index - 1]?.place ?? -1) + 1;
    for (let part = before; part <= place; part++) gaps.push(part - index);
  }
  return gaps;
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
    coalesced: run.coalesced,
    coalesced_from: formatInstantOrNull(run.coalescedFrom),
  };
}
