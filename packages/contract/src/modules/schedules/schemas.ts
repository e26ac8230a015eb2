import { z } from "zod";
import { answerOf } from "../../core/answer.ts";
import { limits } from "../../core/limits.ts";
import { patchOf } from "../../core/list.ts";
import { faultOfTwo } from "../../core/one-of-two.ts";
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
import { writes } from "../../core/written-resource.ts";

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
  .meta({ id: "MisfireInput", examples: [{ policy: "run_all", window: "1d", max_runs: 10 }] });
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
  .meta({
    id: "DstInput",
    examples: [{ gap: "skip", overlap: "both" }],
    description: "For cron schedules whose hour is fixed; others follow the wall clock",
  });
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
const zone = z
  .string()
  .min(1)
  .max(100)
  .meta({ examples: ["Europe/Berlin"] });

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
    time_zone: orNull(zone).default(null),
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
    writes(Schedule, z.strictObject({ ...owned, ...timing.cron, ...shared }).meta({ id: "CronScheduleCreate" })),
    writes(
      Schedule,
      z.strictObject({ ...owned, ...timing.interval, ...shared }).meta({ id: "IntervalScheduleCreate" }),
    ),
    writes(Schedule, z.strictObject({ ...owned, ...timing.once, ...shared }).meta({ id: "OnceScheduleCreate" })),
    writes(Schedule, z.strictObject({ ...owned, ...timing.boot, ...shared }).meta({ id: "BootScheduleCreate" })),
  ])
  .meta({ id: "ScheduleCreate" });
export type ScheduleCreate = z.output<typeof ScheduleCreate>;

const imported = {
  key: withoutKey(z.string().min(1).max(200)).meta({ description: "The file's own name for it; unique" }),
  task_key: z.string().min(1).max(200).meta({ description: "The task of the file it belongs to" }),
  name: owned.name,
  enabled: owned.enabled,
};

/** Its task is named by a key. */
const ImportedSchedule = Schedule.omit({ task_id: true });

/** A schedule as it would be created, with its task named by the file's own key. */
export const ImportSchedule = z
  .discriminatedUnion("kind", [
    writes(
      ImportedSchedule,
      z.strictObject({ ...imported, ...timing.cron, ...shared }).meta({ id: "ImportCronSchedule" }),
    ),
    writes(
      ImportedSchedule,
      z.strictObject({ ...imported, ...timing.interval, ...shared }).meta({ id: "ImportIntervalSchedule" }),
    ),
    writes(
      ImportedSchedule,
      z.strictObject({ ...imported, ...timing.once, ...shared }).meta({ id: "ImportOnceSchedule" }),
    ),
    writes(
      ImportedSchedule,
      z.strictObject({ ...imported, ...timing.boot, ...shared }).meta({ id: "ImportBootSchedule" }),
    ),
  ])
  .meta({
    id: "ImportSchedule",
    examples: [{ key: "nightly", task_key: "backup", kind: "cron", expression: "0 3 * * *" }],
  });

/** The kind stays; a member of another kind is refused. */
export const SchedulePatch = writes(
  Schedule,
  patchOf({
    name: Name.optional(),
    expression: expression.optional(),
    every: every.optional(),
    at: Timestamp.optional(),
    time_zone: orNull(zone).optional(),
    dst: DstInput.optional(),
    jitter: jitter.optional(),
    misfire: MisfireInput.optional(),
    starts_at: orNull(Timestamp).optional(),
    ends_at: orNull(Timestamp).optional(),
    enabled: z.boolean().optional(),
  }).meta({ id: "SchedulePatch" }),
);
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
  .meta({ id: "ScheduleDraft", examples: [{ kind: "cron", expression: "0 3 * * *" }] });
export type ScheduleDraft = z.output<typeof ScheduleDraft>;

export const PreviewRequest = z
  .strictObject({
    schedule_id: referenceTo("schedule").optional(),
    draft: ScheduleDraft.optional(),
    count: z.int().min(1).max(limits.previewMax).default(10),
    from: Timestamp.optional().meta({ description: "Instants after this time; now unless given" }),
  })
  .refine((body) => (body.schedule_id === undefined) !== (body.draft === undefined), {
    error: ({ input }) => faultOfTwo(input, ["draft", "schedule_id"]),
    path: ["draft"],
  })
  .meta({ id: "PreviewRequest", oneOf: [{ required: ["draft"] }, { required: ["schedule_id"] }] });

/** What is said of one scheduled time, in a preview and in the agenda. */
const occurrence = {
  due_at: Timestamp.meta({
    description:
      "The scheduled time with its jitter, and never before that of an earlier scheduled time. Of a draft an example: the jitter depends on the schedule's id",
  }),
  local: z
    .string()
    .meta({ description: "In the schedule's zone, with its offset", examples: ["2026-03-08T03:00:00-04:00"] }),
  dst_note: z.enum(["gap", "overlap_first", "overlap_second"]).nullable().meta({
    description:
      "Runs in place of local times that the clocks skip; or its local time comes twice, and this is the first or the second",
  }),
  dst_shift: orNull(Duration).meta({ description: "How far the clocks are moved, where there is a note" }),
};

export const Occurrence = z
  .object({ instant: Timestamp, ...occurrence, offset: z.string() })
  .meta({ id: "Occurrence" });
export type Occurrence = z.output<typeof Occurrence>;

const gap = {
  at: Timestamp.meta({ description: "When the clocks go forward" }),
  length: Duration.meta({ description: "How far the clocks go forward" }),
  local_times: z.array(z.string()).meta({
    description: "The local times of the schedule that the clocks skip, the first 100 of them",
    examples: [["2026-03-08T02:30:00"]],
  }),
  local_times_count: z.int().min(1),
  runs_at: orNull(Timestamp).meta({ description: "When they run instead, together; null where they do not run" }),
};

export const DstGap = z.object(gap).meta({ id: "DstGap" });
export type DstGap = z.output<typeof DstGap>;

export const Preview = z
  .object({
    kind: z.enum(scheduleKinds).meta({ description: "One of kind `boot` has no scheduled times" }),
    time_zone: z.string(),
    occurrences: z.array(Occurrence),
    dst_gaps: z
      .array(DstGap)
      .meta({ description: "Where clocks skip local times of the schedule, up to the last occurrence" }),
  })
  .meta({ id: "Preview" });
export type Preview = z.output<typeof Preview>;

const ofSchedule = { schedule_id: ResourceId, schedule_name: Name, task_id: ResourceId, task_name: Name };

export const AgendaEntry = z.object({ at: Timestamp, ...ofSchedule, ...occurrence }).meta({ id: "AgendaEntry" });
export type AgendaEntry = z.output<typeof AgendaEntry>;

export const AgendaGap = z.object({ ...ofSchedule, time_zone: z.string(), ...gap }).meta({ id: "AgendaGap" });
export type AgendaGap = z.output<typeof AgendaGap>;

export const Agenda = z
  .object({
    from: Timestamp,
    until: Timestamp,
    entries: z.array(AgendaEntry),
    dst_gaps: z.array(AgendaGap).meta({
      description: "Where clocks skip local times of a schedule, up to the last entry of a list that was cut",
    }),
    complete: z.boolean().meta({ description: "False when the limit cut the list" }),
  })
  .meta({ id: "Agenda" });
export type Agenda = z.output<typeof Agenda>;
