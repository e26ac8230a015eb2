import { z } from "zod";
import { labelOf, namePart } from "../../core/list.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { referenceTo } from "../../core/references.ts";
import { Cursor, queryInteger, Timestamp } from "../../core/scalars.ts";
import { Timeline, timelineBucketsMax, timelineTasksMax } from "./schemas.ts";

export const timelineStates = ["active", "failed", "disabled"] as const;
const defaults = { limit: 100, buckets: 200 };

export const timelineOperations = [
  defineOperation({
    id: "timeline.get",
    method: "get",
    path: "/timeline",
    summary: "Get the runs and the scheduled times of many tasks over a period",
    description:
      "A run is listed if it ended in the period, or if it has not ended and was queued before the period's end. Of the runs that ended later, those are listed that were among the 200 that were queued last before the period's end, skipped ones not counted.",
    kind: "read",
    capability: "observe",
    transports: everywhere,
    audited: false,
    resource: "task",
    query: z.strictObject({
      from: Timestamp.meta({ description: "The begin of the period" }),
      until: Timestamp.meta({ description: "The end of the period, at most 31 days after `from`" }),
      task_ids: z
        .string()
        .min(1)
        .max(4_000)
        .optional()
        .meta({
          description: `Only these tasks, at most ${timelineTasksMax}, separated by commas`,
          examples: ["tsk_4fzH1TqWb8YkV0c2LxNd"],
        }),
      group_id: referenceTo("group").optional().meta({ description: "Only tasks in this group or in its subgroups" }),
      q: namePart("tasks"),
      label: labelOf("tasks"),
      state: z.enum(timelineStates).optional().meta({
        description:
          "`active`: only tasks with queued or active runs. `failed`: only tasks with a failed run that was queued in the period. `disabled`: only disabled tasks",
      }),
      buckets: queryInteger(1, timelineBucketsMax)
        .optional()
        .meta({
          description: `The number of parts into which the period is divided where runs are counted. Default: ${defaults.buckets}`,
        }),
      limit: queryInteger(1, 200)
        .optional()
        .meta({
          description: `The maximum number of rows. Default: ${defaults.limit}`,
        }),
      cursor: Cursor.optional(),
    }),
    response: { kind: "json", status: 200, schema: Timeline },
    errors: [],
  }),
] as const;
