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
import { writes } from "../../core/written-resource.ts";

export const scheduleKinds = ["cron", "interval", "once", "boot"] as const;
export type ScheduleKind = (typeof scheduleKinds)[number];

export const MisfireInput = z
  .strictObject({
    policy: z.enum(["run_once", "run_all", "skip"]).default("run_once").meta({
      description:
        "For scheduled times missed while the daemon was stopped or the machine was asleep: one run for all of them, one run for each, or none",
    }),
    window: durationBetween(1_000).default("1d").meta({ description: "Missed times older than this are skipped" }),
    max_runs: z.int().min(1).max(limits.misfireRunsMax).default(100).meta({
      description:
        "With `run_all`: the maximum number of runs. If more times were missed, the oldest of them are skipped",
    }),
  })
  .meta({ id: "MisfireInput", examples: [{ policy: "run_all", window: "1d", max_runs: 10 }] });
export const Misfire = answerOf(MisfireInput).meta({ id: "Misfire" });
export type Misfire = z.output<typeof Misfire>;

export const DstInput = z
  .strictObject({
    gap: z.enum(["run_after", "skip"]).default("run_after").meta({
      description: "For a local time that clocks skip when they go forward: run right after the gap, or not at all",
    }),
    overlap: z.enum(["first", "both"]).default("first").meta({
      description: "For a local time that occurs twice when clocks go back: run the first time only, or both times",
    }),
  })
  .meta({
    id: "DstInput",
    examples: [{ gap: "skip", overlap: "both" }],
    description:
      "Applies to cron schedules whose hour field does not begin with `*`. Other cron schedules run whenever the clock shows a matching local time: not at skipped times, and twice at repeated times",
  });
export const Dst = answerOf(DstInput).meta({
  id: "Dst",
  description:
    "Applies to cron schedules whose hour field does not begin with `*`. Other cron schedules run whenever the clock shows a matching local time: not at skipped times, and twice at repeated times",
});
export type Dst = z.output<typeof Dst>;

const expression = z
  .string()
  .min(1)
  .max(limits.expressionCharactersMax)
  .meta({
    description:
      "A cron expression of five fields, or of six with seconds first. Nicknames such as `@daily`, names of months and days, ranges that wrap such as `22-6`, and `L`, `L-3`, `W` and `#` are supported",
    examples: ["0 3 * * *"],
  });
const meanings = {
  jitter: "The longest random delay of a run",
  misfire: "What happens to scheduled times that were missed",
  dst: "What happens at local times that clocks skip or repeat",
  startsAt: "No run is scheduled before this time; null for no limit",
  endsAt: "No run is scheduled after this time; null for no limit",
};
const every = durationBetween(limits.intervalMinMs, undefined, "The time between two scheduled times");
const jitter = durationBetween(0, limits.jitterMaxMs, meanings.jitter);
const at = Timestamp.meta({ description: "The time of the only run" });
const startsAt = orNull(Timestamp).meta({ description: meanings.startsAt });
const endsAt = orNull(Timestamp).meta({ description: meanings.endsAt });
const zone = z
  .string()
  .min(1)
  .max(100)
  .meta({ examples: ["Europe/Berlin"] });

const zoneMeaning =
  "If null, the time zone of the nearest group that has one applies, or the daemon's if no group has one";
const spreadMeaning =
  "Whether each run starts later by a constant delay, which depends on the schedule's id. It is shorter than one hour, and than the time between two scheduled times. Jitter is added to it";

export const Schedule = z
  .object({
    id: ResourceId,
    task_id: ResourceId,
    task_name: Name,
    name: Name,
    kind: z.enum(scheduleKinds),
    expression: z.string().nullable().meta({ description: "The cron expression; null for other kinds" }),
    every: orNull(Duration).meta({
      description: "The time between two scheduled times of an interval; null for other kinds",
    }),
    at: orNull(Timestamp).meta({ description: "The time of a schedule that runs once; null for other kinds" }),
    time_zone: zone.nullable().meta({ description: zoneMeaning }),
    effective_time_zone: z.string().meta({ description: "The time zone that applies" }),
    jitter: Duration.meta({ description: meanings.jitter }),
    spread: z.boolean().meta({ description: spreadMeaning }),
    misfire: Misfire,
    dst: Dst,
    anchored_at: orNull(Timestamp).meta({
      description:
        "The time from which an interval is counted: `starts_at`, or else the time of creation. A change of `every` moves this time to the time of the change, unless `starts_at` is in the future. Clearing `starts_at` does not move it. Null if the schedule is not an interval",
    }),
    starts_at: startsAt,
    ends_at: endsAt,
    enabled: z.boolean(),
    paused_until: orNull(Timestamp).meta({
      description: "The end of the pause; null if the schedule is not paused, or until it is resumed",
    }),
    paused: z.boolean().meta({ description: "Whether the schedule is paused now, with or without an end" }),
    next_run_at: orNull(Timestamp).meta({
      description:
        "The next scheduled time, without jitter and spread; null if the schedule is disabled, paused without an end, of kind `boot`, or has no more scheduled times",
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
    time_zone: orNull(zone).default(null).meta({ description: zoneMeaning }),
    dst: DstInput.default(DstInput.parse({})).meta({ description: meanings.dst }),
  },
  interval: { kind: z.literal("interval"), every },
  once: { kind: z.literal("once"), at },
  boot: { kind: z.literal("boot") },
};
const shared = {
  jitter: jitter.default("0s"),
  spread: z
    .boolean()
    .default(false)
    .meta({ description: `${spreadMeaning}. Only for schedules of the kinds \`cron\` and \`interval\`` }),
  misfire: MisfireInput.default(MisfireInput.parse({})).meta({ description: meanings.misfire }),
  starts_at: startsAt.default(null),
  ends_at: endsAt.default(null),
};
const owned = {
  task_id: referenceTo("task"),
  name: Name.optional().meta({
    description: "Default: made from the timing, such as `0 3 * * *`, `every 1h` or `at boot`",
  }),
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
  key: withoutKey(z.string().min(1).max(200)).meta({
    description: "An identifier, unique among the schedules of the file",
  }),
  task_key: z.string().min(1).max(200).meta({ description: "The key of its task in the file" }),
  name: owned.name,
  enabled: owned.enabled,
};

/** An imported schedule names its task by a key. */
const ImportedSchedule = Schedule.omit({ task_id: true });

/** A schedule to create; `task_key` is the key of its task in the file. */
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

/** The kind cannot change; a member of another kind is rejected. */
export const SchedulePatch = writes(
  Schedule,
  patchOf({
    name: Name.optional(),
    expression: expression.optional(),
    every: every.optional(),
    at: at.optional(),
    time_zone: orNull(zone).optional().meta({ description: zoneMeaning }),
    dst: DstInput.optional().meta({ description: meanings.dst }),
    jitter: jitter.optional(),
    spread: z.boolean().optional().meta({ description: spreadMeaning }),
    misfire: MisfireInput.optional().meta({ description: meanings.misfire }),
    starts_at: startsAt.optional(),
    ends_at: endsAt.optional(),
    enabled: z.boolean().optional(),
  }).meta({ id: "SchedulePatch" }),
);
export type SchedulePatch = z.output<typeof SchedulePatch>;

export const SchedulePause = z
  .strictObject({
    until: orNull(Timestamp).default(null).meta({ description: "Null pauses until the schedule is resumed" }),
  })
  .meta({ id: "SchedulePause" });

/** A schedule to preview, without a task. */
export const ScheduleDraft = z
  .discriminatedUnion("kind", [
    z.strictObject({ ...timing.cron, ...shared }).meta({ id: "CronScheduleDraft" }),
    z.strictObject({ ...timing.interval, ...shared }).meta({ id: "IntervalScheduleDraft" }),
    z.strictObject({ ...timing.once, ...shared }).meta({ id: "OnceScheduleDraft" }),
    z.strictObject({ ...timing.boot, ...shared }).meta({ id: "BootScheduleDraft" }),
  ])
  .meta({ id: "ScheduleDraft", examples: [{ kind: "cron", expression: "0 3 * * *" }] });
export type ScheduleDraft = z.output<typeof ScheduleDraft>;
