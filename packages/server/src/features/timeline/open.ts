import type { TimelineFuture, timelineOperations, TimelineRow } from "@belfry/contract";
import { timelineFutureBucketsMax, timelineSpanMaxMs, timelineTasksMax } from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";
import { nameKey } from "../../kernel/names.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import type { Db } from "../../kernel/storage/database.ts";
import { readList } from "../../kernel/storage/page.ts";
import { formatInstant, type Instant, parseInstant } from "../../kernel/time/time.ts";
import { readLabelFilter, type TaskRow } from "../tasks/index.ts";
import { createBuckets } from "./buckets.ts";
import { listRows, readPassed, writePassed } from "./list-rows.ts";
import { readPast } from "./past.ts";
import { createTimelineStore } from "./store.ts";

/** A part of time and the number of parts in which scheduled times are counted. */
export interface ComingPeriod {
  readonly from: Instant;
  readonly until: Instant;
  readonly buckets: number;
}

export interface TimelineParts {
  readonly db: Db;
  /** The usual durations of the tasks that have one, from the module of runs. */
  readonly readUsualDurations: (taskIds: readonly string[]) => ReadonlyMap<string, number>;
  /** The scheduled times of a task, from the module of schedules. */
  readonly listComing: (
    task: TaskRow,
    period: ComingPeriod,
  ) => { readonly future: TimelineFuture; readonly unplanned: TimelineRow["unplanned"] };
}

/** Draws the runs and the scheduled times of many tasks together. */
export function openTimeline({ db, listComing, readUsualDurations }: TimelineParts) {
  const store = createTimelineStore(db);
  const operations: OperationsOf<typeof timelineOperations> = {
    "timeline.get": {
      handle: ({ query, now }) => {
        const { from, until } = readPeriod(query);
        const buckets = createBuckets(from, until, query.buckets ?? 200);
        const filters = {
          namePart: query.q === undefined ? undefined : nameKey(query.q),
          ...readLabelFilter(query.label),
          ...(query.state === "disabled" ? { enabled: false } : {}),
          ...(query.state === "active" ? { active: true as const } : {}),
          ...(query.state === "failed" ? { failedFrom: from, failedUntil: until } : {}),
        };
        const { rows, next_cursor } = readList({
          operation: "timeline.get",
          // the period moves with time, and the pages of one picture may be read at different times
          query: { ...query, from: undefined, until: undefined, buckets: undefined },
          find: ({ limit, after }) =>
            listRows(
              store,
              { filters, taskIds: readTaskIds(query.task_ids), groupId: query.group_id },
              { limit, after: after === null ? null : readPassed(after) },
            ),
          startOf: ({ task }) => writePassed(task),
        });
        const usual = readUsualDurations(rows.map(({ task }) => task.id));
        const coming = {
          from: Math.max(from, now + 1),
          until,
          buckets: Math.min(query.buckets ?? 200, timelineFutureBucketsMax),
        };
        return {
          from: formatInstant(from),
          until: formatInstant(until),
          now: formatInstant(now),
          rows: rows.map(({ task, groupPath }) => ({
            task_id: task.id,
            name: task.name,
            group_id: task.groupId,
            group_path: groupPath,
            usual_duration_ms: usual.get(task.id) ?? null,
            past: readPast(store, task.id, { buckets, now }),
            ...listComing(task, coming),
          })),
          next_cursor,
        };
      },
    },
  };
  return { operations };
}

function readPeriod(query: { readonly from: string; readonly until: string }): {
  readonly from: Instant;
  readonly until: Instant;
} {
  const from = parseInstant(query.from);
  const until = parseInstant(query.until);
  if (until <= from) throw invalid("until", "until must be later than `from`");
  if (until - from > timelineSpanMaxMs) throw invalid("until", "until must be at most 31 days after `from`");
  return { from, until };
}

function readTaskIds(text: string | undefined): readonly string[] | null {
  if (text === undefined) return null;
  const ids = [...new Set(text.split(",").map((id) => id.trim()))];
  if (ids.includes("")) throw invalid("task_ids", "task_ids must be ids of tasks, separated by commas");
  if (ids.length > timelineTasksMax) throw invalid("task_ids", `task_ids must be at most ${timelineTasksMax} ids`);
  return ids;
}
