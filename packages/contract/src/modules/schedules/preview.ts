import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { faultOfTwo } from "../../core/one-of-two.ts";
import { referenceTo } from "../../core/references.ts";
import { Duration, Name, orNull, ResourceId, Timestamp } from "../../core/scalars.ts";
import { ScheduleDraft, scheduleKinds } from "./schemas.ts";

export const PreviewRequest = z
  .strictObject({
    schedule_id: referenceTo("schedule").optional(),
    draft: ScheduleDraft.optional(),
    count: z.int().min(1).max(limits.previewMax).default(10),
    from: Timestamp.optional().meta({ description: "Only scheduled times after this time; default: now" }),
  })
  .refine((body) => (body.schedule_id === undefined) !== (body.draft === undefined), {
    error: ({ input }) => faultOfTwo(input, ["draft", "schedule_id"]),
    path: ["draft"],
  })
  .meta({ id: "PreviewRequest", oneOf: [{ required: ["draft"] }, { required: ["schedule_id"] }] });

const dueAt =
  "The scheduled time plus its spread and jitter, but never earlier than the `due_at` of the previous scheduled time";

/** Members of one scheduled time, in a preview and in the agenda. */
const occurrence = {
  due_at: Timestamp.meta({ description: dueAt }),
  local: z.string().meta({
    description: "The scheduled time as a local time in the schedule's time zone, with the offset",
    examples: ["2026-03-08T03:00:00-04:00"],
  }),
  dst_note: z.enum(["gap", "overlap_first", "overlap_second"]).nullable().meta({
    description:
      "`gap`: this time replaces local times that the clocks skip. `overlap_first`, `overlap_second`: the local time occurs twice, and this is the first or the second time",
  }),
  dst_shift: orNull(Duration).meta({ description: "How far the clocks change, if `dst_note` is set" }),
};

export const Occurrence = z
  .object({
    instant: Timestamp,
    ...occurrence,
    due_at: Timestamp.meta({
      description: `${dueAt}. For a \`draft\` in the request this is only an example, because both depend on the schedule's id, which a draft lacks`,
    }),
    offset: z.string(),
  })
  .meta({ id: "Occurrence" });
export type Occurrence = z.output<typeof Occurrence>;

const gap = {
  at: Timestamp.meta({ description: "When the clocks go forward" }),
  length: Duration.meta({ description: "How far the clocks go forward" }),
  local_times: z.array(z.string()).meta({
    description: "The scheduled local times that the clocks skip, at most the first 100",
    examples: [["2026-03-08T02:30:00"]],
  }),
  local_times_count: z.int().min(1),
  runs_at: orNull(Timestamp).meta({
    description: "The time of the one run that replaces all these local times; null if there is no such run",
  }),
};

export const DstGap = z.object(gap).meta({ id: "DstGap" });
export type DstGap = z.output<typeof DstGap>;

export const Preview = z
  .object({
    kind: z.enum(scheduleKinds).meta({ description: "A schedule of kind `boot` has no scheduled times" }),
    time_zone: z.string(),
    occurrences: z.array(Occurrence),
    dst_gaps: z.array(DstGap).meta({
      description:
        "The time zone transitions that skip local times of the schedule, up to the last occurrence. If the schedule has fewer than `count` occurrences, later transitions are listed too",
    }),
  })
  .meta({ id: "Preview" });
export type Preview = z.output<typeof Preview>;

const ofSchedule = { schedule_id: ResourceId, schedule_name: Name, task_id: ResourceId, task_name: Name };

/** A schedule with more scheduled times than this is one entry of a collapsed agenda. */
export const agendaTimesMax = 4;

const series = {
  count: z.int().min(1).meta({
    description: "The number of scheduled times that this entry represents: 1 unless it is collapsed",
  }),
  last_at: Timestamp.meta({ description: "The last of these times" }),
  every: orNull(Duration).meta({
    description:
      "The time between two of these times, if the schedule keeps it for a year; null otherwise, such as for weekdays, and for a single time",
  }),
};

export const AgendaEntry = z
  .object({ at: Timestamp, ...ofSchedule, ...occurrence, ...series })
  .meta({ id: "AgendaEntry" });
export type AgendaEntry = z.output<typeof AgendaEntry>;

export const AgendaGap = z.object({ ...ofSchedule, time_zone: z.string(), ...gap }).meta({ id: "AgendaGap" });
export type AgendaGap = z.output<typeof AgendaGap>;

export const UnplannedSchedule = z.object({ ...ofSchedule, reason: z.string() }).meta({ id: "UnplannedSchedule" });
export type UnplannedSchedule = z.output<typeof UnplannedSchedule>;

export const Agenda = z
  .object({
    from: Timestamp,
    until: Timestamp,
    entries: z.array(AgendaEntry),
    unplanned: z.array(UnplannedSchedule).meta({
      description:
        "Schedules in this period whose times cannot be computed, for example because a newer time zone database lacks their zone. Normally empty",
    }),
    dst_gaps: z.array(AgendaGap).meta({
      description:
        "The time zone transitions that skip local times of a schedule. If `complete` is false, only transitions up to the last entry are listed",
    }),
    complete: z.boolean().meta({ description: "False if `limit` cut the list short" }),
  })
  .meta({ id: "Agenda" });
export type Agenda = z.output<typeof Agenda>;
