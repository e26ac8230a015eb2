import { z } from "zod";
import { answerOf } from "../../core/answer.ts";
import { limits } from "../../core/limits.ts";
import { patchOf } from "../../core/list.ts";
import { referenceTo } from "../../core/references.ts";
import {
  Duration,
  durationBetween,
  Name,
  orNull,
  ResourceId,
  Revision,
  Timestamp,
  withoutKey,
} from "../../core/scalars.ts";

export const scheduleKinds = ["cron", "interval", "once", "boot"] as const;
export type ScheduleKind = (typeof scheduleKinds)[number];

export const MisfireInput = z
  .strictObject({
    policy: z
      .enum(["run_once", "run_all", "skip"])
      .default("run_once")
      .meta({ description: "For instants missed while the daemon was away: one run, one each, or none" }),
    window: durationBetween(1_000).default("1d").meta({ description: "Older missed instants get no run" }),
    max_runs: z.int().min(1).max(limits.misfireRunsMax).default(100).meta({ description: "Of `run_all`: the newest" }),
  })
  .meta({ id: "MisfireInput" });
export const Misfire = answerOf(MisfireInput).meta({ id: "Misfire" });
export type Misfire = z.output<typeof Misfire>;

export const DstInput = z
  .strictObject({
    gap: z
      .enum(["run_after", "skip"])
      .default("run_after")
      .meta({ description: "A local time that does not exist that day" }),
    overlap: z.enum(["first", "both"]).default("first").meta({ description: "A local time that comes twice that day" }),
  })
  .meta({ id: "DstInput", description: "For cron schedules whose hour is fixed; others follow elapsed time" });
export const Dst = answerOf(DstInput).meta({
  id: "Dst",
  description: "As it applies to a cron schedule whose hour is fixed",
});
export type Dst = z.output<typeof Dst>;

const expression = z
  .string()
  .min(1)
  .max(limits.expressionCharactersMax)
  .meta({
    description:
      "Five fields, or six with seconds first; `@daily` and the like; names of months and days; ranges that wrap, such as `22-6`; `L`, `L-3`, `W`, `#`",
    examples: ["0 3 * * *"],
  });
const every = durationBetween(limits.intervalMinMs);
const jitter = durationBetween(0, limits.jitterMaxMs);
const zone = z.string().min(1).max(100);

export const Schedule = z
  .object({
    id: ResourceId,
    task_id: ResourceId,
    task_name: Name,
    name: Name,
    kind: z.enum(scheduleKinds),
    expression: z.string().nullable(),
    every: orNull(Duration),
    at: orNull(Timestamp),
    time_zone: zone.nullable().meta({ description: "Null inherits from the nearest group, else the daemon's zone" }),
    effective_time_zone: z.string(),
    jitter: Duration,
    misfire: Misfire,
    dst: Dst,
    anchored_at: orNull(Timestamp).meta({
      description:
        "What an interval counts from: every scheduled time is a whole number of `every` away. It is `starts_at`, else the creation; another `every` counts from its change. Null for other kinds",
    }),
    starts_at: orNull(Timestamp),
    ends_at: orNull(Timestamp),
    enabled: z.boolean(),
    paused_until: orNull(Timestamp),
    paused: z.boolean().meta({ description: "Paused now, with or without an end" }),
    next_run_at: orNull(Timestamp).meta({
      description: "The next nominal instant; null while disabled, paused without end, or over",
    }),
    last_run_at: orNull(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
    revision: Revision,
  })
  .meta({ id: "Schedule" });
export type Schedule = z.output<typeof Schedule>;

const timing = {
  cron: {
    kind: z.literal("cron"),
    expression,
    time_zone: zone.nullable().default(null),
    dst: DstInput.default(DstInput.parse({})),
  },
  interval: { kind: z.literal("interval"), every },
  once: { kind: z.literal("once"), at: Timestamp },
  boot: { kind: z.literal("boot") },
};
const shared = {
  jitter: jitter.default("0s"),
  misfire: MisfireInput.default(MisfireInput.parse({})),
  starts_at: orNull(Timestamp).default(null),
  ends_at: orNull(Timestamp).default(null),
};
const owned = {
  task_id: referenceTo("task"),
  name: Name.optional().meta({ description: "The schedule's own words unless given, such as `0 3 * * *`" }),
  enabled: z.boolean().default(true),
};

export const ScheduleCreate = z
  .discriminatedUnion("kind", [
    z.strictObject({ ...owned, ...timing.cron, ...shared }).meta({ id: "CronScheduleCreate" }),
    z.strictObject({ ...owned, ...timing.interval, ...shared }).meta({ id: "IntervalScheduleCreate" }),
    z.strictObject({ ...owned, ...timing.once, ...shared }).meta({ id: "OnceScheduleCreate" }),
    z.strictObject({ ...owned, ...timing.boot, ...shared }).meta({ id: "BootScheduleCreate" }),
  ])
  .meta({ id: "ScheduleCreate" });
export type ScheduleCreate = z.output<typeof ScheduleCreate>;

const imported = {
  key: withoutKey(z.string().min(1).max(200)).meta({ description: "The file's own name for it; unique" }),
  task_key: z.string().min(1).max(200).meta({ description: "The task of the file it belongs to" }),
  name: owned.name,
  enabled: owned.enabled,
};

/** A schedule as it would be created, with its task named by the file's own key. */
export const ImportSchedule = z
  .discriminatedUnion("kind", [
    z.strictObject({ ...imported, ...timing.cron, ...shared }).meta({ id: "ImportCronSchedule" }),
    z.strictObject({ ...imported, ...timing.interval, ...shared }).meta({ id: "ImportIntervalSchedule" }),
    z.strictObject({ ...imported, ...timing.once, ...shared }).meta({ id: "ImportOnceSchedule" }),
    z.strictObject({ ...imported, ...timing.boot, ...shared }).meta({ id: "ImportBootSchedule" }),
  ])
  .meta({ id: "ImportSchedule" });

/** The kind stays; a member of another kind is refused. */
export const SchedulePatch = patchOf({
  name: Name.optional(),
  expression: expression.optional(),
  every: every.optional(),
  at: Timestamp.optional(),
  time_zone: zone.nullable().optional(),
  dst: DstInput.optional(),
  jitter: jitter.optional(),
  misfire: MisfireInput.optional(),
  starts_at: orNull(Timestamp).optional(),
  ends_at: orNull(Timestamp).optional(),
  enabled: z.boolean().optional(),
}).meta({ id: "SchedulePatch" });
export type SchedulePatch = z.output<typeof SchedulePatch>;

export const SchedulePause = z
  .strictObject({ until: orNull(Timestamp).default(null).meta({ description: "Null pauses until `resume`" }) })
  .meta({ id: "SchedulePause" });

/** A schedule as it would be created, without its task; or one that exists, by its id. */
export const ScheduleDraft = z
  .discriminatedUnion("kind", [
    z.strictObject({ ...timing.cron, ...shared }).meta({ id: "CronScheduleDraft" }),
    z.strictObject({ ...timing.interval, ...shared }).meta({ id: "IntervalScheduleDraft" }),
    z.strictObject({ ...timing.once, ...shared }).meta({ id: "OnceScheduleDraft" }),
    z.strictObject({ ...timing.boot, ...shared }).meta({ id: "BootScheduleDraft" }),
  ])
  .meta({ id: "ScheduleDraft" });
export type ScheduleDraft = z.output<typeof ScheduleDraft>;

export const PreviewRequest = z
  .strictObject({
    schedule_id: referenceTo("schedule").optional(),
    draft: ScheduleDraft.optional(),
    count: z.int().min(1).max(limits.previewMax).default(10),
    from: Timestamp.optional().meta({ description: "Instants after this time; now unless given" }),
  })
  .refine((body) => (body.schedule_id === undefined) !== (body.draft === undefined), {
    error: "give either a draft or a schedule_id",
    path: ["draft"],
  })
  .meta({ id: "PreviewRequest", oneOf: [{ required: ["draft"] }, { required: ["schedule_id"] }] });

export const Occurrence = z
  .object({
    instant: Timestamp,
    due_at: Timestamp.meta({ description: "The instant with its jitter" }),
    local: z
      .string()
      .meta({ description: "In the schedule's zone, with its offset", examples: ["2026-03-08T03:00:00-04:00"] }),
    offset: z.string(),
    dst_note: z
      .enum(["gap", "overlap_first", "overlap_second"])
      .nullable()
      .meta({ description: "Moved out of a gap, or at the first or second passage of an overlap" }),
  })
  .meta({ id: "Occurrence" });
export type Occurrence = z.output<typeof Occurrence>;

export const Preview = z.object({ time_zone: z.string(), occurrences: z.array(Occurrence) }).meta({ id: "Preview" });

export const AgendaEntry = z
  .object({
    at: Timestamp,
    schedule_id: ResourceId,
    schedule_name: Name,
    task_id: ResourceId,
    task_name: Name,
    local: z.string(),
  })
  .meta({ id: "AgendaEntry" });
export type AgendaEntry = z.output<typeof AgendaEntry>;

export const Agenda = z
  .object({
    from: Timestamp,
    until: Timestamp,
    entries: z.array(AgendaEntry),
    complete: z.boolean().meta({ description: "False when the limit cut the list" }),
  })
  .meta({ id: "Agenda" });
