import { z } from "zod";
import { Name, orNull, ResourceId, Timestamp } from "../../core/scalars.ts";
import { readinessReasons } from "../tasks/schemas.ts";

export const runStates = [
  "queued",
  "dispatching",
  "running",
  "cancelling",
  "succeeded",
  "failed",
  "cancelled",
  "skipped",
] as const;
export type RunState = (typeof runStates)[number];

export const runOutcomes = ["success", "failure"] as const;
export type RunOutcome = (typeof runOutcomes)[number];

export const runTriggers = ["schedule", "manual", "external_trigger", "completion"] as const;
/** What asked for a run. */
export type RunTrigger = (typeof runTriggers)[number];

/** Why a run ended as it did, or never started. */
export const runReasons = [
  "exit_code",
  "signal",
  "timeout",
  "spawn_error",
  "lost",
  "cancelled",
  "overlap",
  "misfire",
  "queue_full",
  ...readinessReasons.filter((reason) => reason !== "ready"),
] as const;
export type RunReason = (typeof runReasons)[number];

const bytes = z.int().min(0);
export const RunOutput = z
  .object({
    stdout_bytes: bytes.meta({ description: "Written by the last attempt, kept or not" }),
    stderr_bytes: bytes,
    stdout_cut: bytes.meta({ description: "Bytes of the middle that were not kept" }),
    stderr_cut: bytes,
  })
  .meta({ id: "RunOutput" });

export const Run = z
  .object({
    id: ResourceId,
    task_id: ResourceId,
    task_name: Name,
    group_id: orNull(ResourceId),
    group_name: orNull(Name),
    state: z.enum(runStates),
    outcome: z
      .enum(runOutcomes)
      .nullable()
      .meta({ description: "Null until it ended, and for cancelled and skipped runs" }),
    reason: z.enum(runReasons).nullable(),
    reason_text: z.string().nullable().meta({ description: "The reason in a sentence" }),
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    attempt: z.int().min(0).meta({
      description:
        "From 1: the current attempt, between two attempts the next one, after the end the last one; 0 before the first",
    }),
    attempts_max: z.int().min(1),
    trigger: z.enum(runTriggers),
    source_schedule_id: orNull(ResourceId),
    source_chain_id: orNull(ResourceId).meta({ description: "The chain that started it" }),
    source_trigger_id: ResourceId.optional().meta({ description: "The trigger that was fired; absent otherwise" }),
    source_task_id: ResourceId.optional().meta({
      description: "For a run that a chain started: the task that ended; absent otherwise",
    }),
    source_run_id: ResourceId.optional().meta({
      description: "For a run that a chain started: the run that ended; absent otherwise",
    }),
    scheduled_for: Timestamp.meta({
      description: "When it was due: nominal for a schedule, else when it was asked for",
    }),
    queued_at: Timestamp,
    started_at: orNull(Timestamp).meta({
      description: "Start of the first attempt, or its dispatch if no process started; null before that",
    }),
    ended_at: orNull(Timestamp),
    duration_ms: z.int().min(0).nullable(),
    coalesced: z.int().min(0).meta({ description: "Due instants this row stands for besides its own" }),
    coalesced_from: orNull(Timestamp).meta({ description: "The first of them" }),
    output: RunOutput,
    pid: z.int().nullable(),
    host: z.string().nullable(),
  })
  .meta({ id: "Run" });
export type Run = z.output<typeof Run>;

export const RunRequest = z
  .strictObject({ scheduled_for: orNull(Timestamp).default(null).meta({ description: "Start then, not at once" }) })
  .meta({ id: "RunRequest" });

export const outputStreams = ["stdout", "stderr", "both"] as const;
export const OutputEvent = z
  .union([
    z
      .object({ stream: z.enum(["stdout", "stderr"]), offset: bytes, base64: z.string() })
      .meta({ id: "OutputPiece", "x-event": "output" }),
    z
      .object({ stream: z.enum(["stdout", "stderr"]), from: bytes, bytes })
      .meta({ id: "OutputCut", "x-event": "cut", description: "This many bytes from here were not kept" }),
    z.object({ state: z.enum(runStates) }).meta({ id: "OutputEnd", "x-event": "end", description: "Nothing follows" }),
  ])
  .meta({ id: "OutputEvent" });

export const whyDecisions = ["ran", "queued", "skipped", "coalesced", "not_due", "upcoming"] as const;
export const Why = z
  .object({
    at: Timestamp,
    readiness: z.enum(["ready", "not_ready"]),
    reason: z.enum(readinessReasons),
    schedules: z.array(
      z.object({
        schedule_id: ResourceId,
        schedule_name: Name,
        decision: z.enum(whyDecisions),
        run_id: orNull(ResourceId),
        instant: orNull(Timestamp).meta({
          description: "The due instant the decision concerns, nearest at or before `at`",
        }),
        reason: z.string().meta({ description: "A sentence for a person" }),
      }),
    ),
    chains: z
      .array(
        z.object({
          chain_id: ResourceId,
          source_task_id: ResourceId,
          source_task_name: Name,
          decision: z.enum(whyDecisions),
          run_id: orNull(ResourceId),
          source_run_id: orNull(ResourceId).meta({
            description: "The newest run of the source that ended at or before `at`",
          }),
          reason: z.string().meta({ description: "A sentence for a person" }),
        }),
      )
      .meta({ description: "Of the chains that lead to the task" }),
  })
  .meta({ id: "Why" });
export type Why = z.output<typeof Why>;
