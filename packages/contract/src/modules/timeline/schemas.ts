import { z } from "zod";
import { Name, orNull, ResourceId, Timestamp } from "../../core/scalars.ts";
import { runOutcomes, runStates } from "../runs/schemas.ts";

/** The longest period of one timeline. */
export const timelineSpanMaxMs = 31 * 86_400_000;
/** A row has so many runs, or scheduled times, of their own. More are counted in buckets. */
export const timelineMarksMax = 100;
export const timelineBucketsMax = 500;
/** Scheduled times are counted in fewer buckets, because each count takes a calculation. */
export const timelineFutureBucketsMax = 24;
export const timelineTasksMax = 100;

/** The states of a bucket's runs from the worst to the best: the worst one stands for the bucket. */
export const statesFromWorst = [
  "failed",
  "cancelled",
  "cancelling",
  "running",
  "dispatching",
  "queued",
  "skipped",
  "succeeded",
] as const satisfies typeof runStates extends readonly (infer S)[] ? readonly S[] : never;

export const TimelineRun = z
  .object({
    id: ResourceId,
    state: z.enum(runStates),
    outcome: z.enum(runOutcomes).nullable(),
    scheduled_for: Timestamp,
    queued_at: Timestamp,
    started_at: orNull(Timestamp),
    ended_at: orNull(Timestamp),
    coalesced: z
      .int()
      .min(0)
      .meta({ description: "The number of other scheduled times that were merged into this run" }),
    coalesced_from: orNull(Timestamp).meta({ description: "The first scheduled time that was merged into this run" }),
  })
  .meta({ id: "TimelineRun" });
export type TimelineRun = z.output<typeof TimelineRun>;

const period = { from: Timestamp, until: Timestamp };

export const TimelineBucket = z
  .object({
    ...period,
    count: z.int().min(1).meta({ description: "The number of runs that ended in this part of the period" }),
    worst: z.enum(statesFromWorst).meta({
      description: "The worst state among them: `failed`, then `cancelled`, `skipped` and `succeeded`",
    }),
  })
  .meta({ id: "TimelineBucket" });
export type TimelineBucket = z.output<typeof TimelineBucket>;

export const TimelinePast = z
  .discriminatedUnion("kind", [
    z
      .object({ kind: z.literal("runs"), runs: z.array(TimelineRun).meta({ description: "Oldest end first" }) })
      .meta({ id: "TimelineRuns" }),
    z
      .object({
        kind: z.literal("buckets"),
        runs: z.array(TimelineRun).meta({
          description: `The runs that have not ended. Of the others, which are also counted where they ended: those into which other scheduled times were merged, at most the ${timelineMarksMax} that ended last, and those that lasted through an empty bucket, at most the ${timelineMarksMax} longest`,
        }),
        buckets: z.array(TimelineBucket).meta({ description: "In order, without empty ones" }),
      })
      .meta({ id: "TimelineBuckets" }),
  ])
  .meta({
    id: "TimelinePast",
    description: `The runs of the period, one by one if they are at most ${timelineMarksMax}, otherwise counted in buckets`,
  });
export type TimelinePast = z.output<typeof TimelinePast>;

export const TimelineFuture = z
  .discriminatedUnion("kind", [
    z
      .object({
        kind: z.literal("times"),
        times: z.array(z.object({ at: Timestamp, schedule_id: ResourceId }).meta({ id: "TimelineTime" })),
      })
      .meta({ id: "TimelineTimes" }),
    z
      .object({
        kind: z.literal("buckets"),
        buckets: z.array(z.object({ ...period, count: z.int().min(1) }).meta({ id: "TimelineFutureBucket" })),
      })
      .meta({ id: "TimelineFutureBuckets" }),
  ])
  .meta({
    id: "TimelineFuture",
    description: `The scheduled times of the period that are still to come, one by one if they are at most ${timelineMarksMax}, otherwise counted in buckets. Empty if the task cannot start`,
  });
export type TimelineFuture = z.output<typeof TimelineFuture>;

export const TimelineRow = z
  .object({
    task_id: ResourceId,
    name: Name,
    group_id: orNull(ResourceId),
    group_path: z.string().nullable().meta({
      description: "The names of the task's group and of those above it, outermost first, separated by ` / `",
    }),
    usual_duration_ms: z.int().min(0).nullable().meta({
      description: "The median duration of the last 20 successful runs; null if there is none",
    }),
    past: TimelinePast,
    future: TimelineFuture,
    unplanned: z
      .array(z.object({ schedule_id: ResourceId, reason: z.string() }).meta({ id: "TimelineUnplanned" }))
      .meta({
        description: "The task's schedules whose times cannot be computed. Normally empty",
      }),
  })
  .meta({ id: "TimelineRow" });
export type TimelineRow = z.output<typeof TimelineRow>;

export const Timeline = z
  .object({
    ...period,
    now: Timestamp.meta({ description: "The daemon's time: runs lie before it, scheduled times after it" }),
    rows: z.array(TimelineRow).meta({
      description: "One row for each task, by the path of its group and then by name. Tasks in no group come first",
    }),
    next_cursor: z.string().nullable().meta({ description: "The `cursor` of the next page; null on the last page" }),
  })
  .meta({ id: "Timeline" });
export type Timeline = z.output<typeof Timeline>;
