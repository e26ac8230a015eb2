import { z } from "zod";
import { onlyFor } from "../../core/audience.ts";
import { Name, orNull, ResourceId, Timestamp } from "../../core/scalars.ts";
import { explainedTime } from "../schedules/explained-time.ts";
import { onConflicts } from "../tasks/concurrency.ts";
import { readinessReasons } from "../tasks/readiness.ts";

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

export const runTriggers = ["schedule", "manual", "external_trigger", "completion", "filesystem_watcher"] as const;
/** What started a run. */
export type RunTrigger = (typeof runTriggers)[number];

/** Why a run ended, or never started. */
export const runReasons = [
  "exit_code",
  "signal",
  "timeout",
  "spawn_error",
  "lost",
  "cancelled",
  "replaced",
  "overlap",
  "misfire",
  "queue_full",
  ...readinessReasons.filter((reason) => reason !== "ready"),
] as const;
export type RunReason = (typeof runReasons)[number];

const bytes = z.int().min(0);
export const RunOutput = z
  .object({
    stdout_bytes: bytes.meta({
      description:
        "Bytes that the attempt wrote, including bytes that were not kept. A run shows its last finished attempt",
    }),
    stderr_bytes: bytes,
    stdout_cut: bytes.meta({ description: "Bytes dropped from the middle because the output was over `max_bytes`" }),
    stderr_cut: bytes,
  })
  .meta({ id: "RunOutput" });

/** The limits of concurrent runs, from the narrowest to the widest. */
export const runLimits = ["task_limit", "key_limit", "group_limit", "daemon_limit"] as const;
export type RunLimit = (typeof runLimits)[number];

export const runWaitReasons = [
  "start_time",
  "retry_delay",
  "held",
  "runner",
  ...runLimits,
  "task_unreadable",
  "dispatch",
] as const;
/** What a queued run waits for; `dispatch` if nothing keeps it from starting. */
export type RunWaitReason = (typeof runWaitReasons)[number];

/** An answer names no more of the runs that use a limit. */
export const waitRunIdsMax = 10;

export const RunWait = z
  .object({
    reason: z.enum(runWaitReasons),
    text: z.string().meta({
      description:
        "The reason as the rest of a sentence that begins with `The run`: `is queued: the task's limit of 1 concurrent run is reached (run_4fzH1TqWb8YkV0c2LxNd is active)`",
    }),
    until: orNull(Timestamp).meta({ description: "The end of the wait, if it is known" }),
    run_ids: z
      .array(ResourceId)
      .max(waitRunIdsMax)
      .meta({ description: "The active runs that use the limit: at most 10 of them" }),
  })
  .meta({ id: "RunWait" });
export type RunWait = z.output<typeof RunWait>;

const managers = { capability: "manage" } as const;

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
      .meta({ description: "Null until the run ends, and for cancelled and skipped runs" }),
    reason: z.enum(runReasons).nullable(),
    reason_text: z.string().nullable().meta({
      description:
        "The reason as the rest of a sentence that begins with `The run`: `exited with code 3`. For callers below the capability `manage`, it names no program, path or process",
    }),
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    attempt: z.int().min(0).meta({
      description:
        "The number of the current attempt, starting at 1; 0 before the first attempt. Between two attempts, the number of the next one; after the end of the run, the number of the last one",
    }),
    attempts_max: z.int().min(1),
    trigger: z.enum(runTriggers),
    source_schedule_id: orNull(ResourceId),
    source_chain_id: orNull(ResourceId).meta({ description: "The chain that started the run" }),
    source_trigger_id: ResourceId.optional().meta({
      description: "The trigger that started the run; absent otherwise",
    }),
    source_watcher_id: ResourceId.optional().meta({
      description: "The filesystem watcher that started the run; absent otherwise",
    }),
    source_task_id: ResourceId.optional().meta({
      description: "For a run that a chain started: the task whose run ended; absent otherwise",
    }),
    source_run_id: ResourceId.optional().meta({
      description: "For a run that a chain started: the run that ended; absent otherwise",
    }),
    scheduled_for: Timestamp.meta({
      description:
        "The scheduled time, without jitter. For a run that no schedule started: the end of the chain's delay, the start time that the request named, or else the time of the request",
    }),
    queued_at: Timestamp,
    started_at: orNull(Timestamp).meta({
      description:
        "When the first attempt started or, if its process could not be started, when it was dispatched. Null until then",
    }),
    ended_at: orNull(Timestamp),
    duration_ms: z.int().min(0).nullable(),
    coalesced: z
      .int()
      .min(0)
      .meta({ description: "The number of other scheduled times that were merged into this run" }),
    coalesced_from: orNull(Timestamp).meta({ description: "The first scheduled time that was merged into this run" }),
    output: RunOutput,
    waiting: RunWait.optional().meta({
      description: "What a queued run waits for. Only `GET /v1/runs/{id}` has it; absent if the run is not queued",
    }),
    pid: onlyFor(managers, z.int().nullable()),
    host: onlyFor(managers, z.string().nullable()),
  })
  .meta({ id: "Run" });
export type Run = z.output<typeof Run>;

export const attemptReasons = [
  "exit_code",
  "signal",
  "timeout",
  "spawn_error",
  "lost",
  "cancelled",
  "replaced",
] as const;

export const RunAttempt = z
  .object({
    number: z.int().min(1),
    created_at: Timestamp.meta({ description: "When the daemon ordered the start" }),
    started_at: orNull(Timestamp).meta({ description: "When the process started; null if it did not" }),
    ended_at: orNull(Timestamp),
    reason: z.enum(attemptReasons).nullable().meta({ description: "Why the attempt ended; null until then" }),
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    output: RunOutput,
  })
  .meta({ id: "RunAttempt" });
export type RunAttempt = z.output<typeof RunAttempt>;

export const RunRequest = z
  .strictObject({
    scheduled_for: orNull(Timestamp).default(null).meta({ description: "When to start the run; null starts it now" }),
  })
  .meta({ id: "RunRequest" });

export const outputStreams = ["stdout", "stderr", "both"] as const;
export const OutputEvent = z
  .union([
    z
      .object({
        stream: z.enum(["stdout", "stderr"]),
        offset: bytes,
        base64: z.string(),
        time: Timestamp.optional().meta({ description: "When Belfry read these bytes; absent if not recorded" }),
      })
      .meta({ id: "OutputPiece", "x-event": "output" }),
    z
      .object({ stream: z.enum(["stdout", "stderr"]), from: bytes, bytes })
      .meta({ id: "OutputCut", "x-event": "cut", description: "`bytes` bytes from the offset `from` were not kept" }),
    z
      .object({ state: z.enum(runStates) })
      .meta({ id: "OutputEnd", "x-event": "end", description: "The last event of the stream" }),
  ])
  .meta({ id: "OutputEvent" });

export const whyDecisions = ["ran", "queued", "skipped", "coalesced", "not_due", "upcoming"] as const;
/** Manual runs and fires are looked for among so many runs of the task. */
export const whyRunsMax = 100;
export const Why = z
  .object({
    at: Timestamp,
    readiness: z.enum(["ready", "not_ready"]),
    reason: z.enum(readinessReasons),
    limit: z
      .object({
        reason: z.enum(runLimits),
        text: z.string().meta({
          description:
            'The limit as a clause: `the limit of 2 concurrent runs for the group "Backups" is reached (run_4fzH1TqWb8YkV0c2LxNd and run_9sGm2RvXe7PuQ1bKjZtA of "Load" are active)`',
        }),
        new_run: z.enum(onConflicts).meta({
          description: "What happens to a run that is requested now: it waits, is skipped, or replaces the oldest one",
        }),
        run_ids: z
          .array(ResourceId)
          .max(waitRunIdsMax)
          .meta({ description: "The active runs that use the limit: at most 10 of them" }),
      })
      .nullable()
      .meta({ description: "The narrowest limit of concurrent runs that is reached now; null if none is" }),
    schedules: z.array(
      z.object({
        schedule_id: ResourceId,
        schedule_name: Name,
        decision: z.enum(whyDecisions),
        run_id: orNull(ResourceId),
        ...explainedTime,
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
            description: "The latest run of the source task that ended at or before `at`",
          }),
          reason: z.string().meta({ description: "The decision explained in a sentence" }),
        }),
      )
      .meta({ description: "One entry for each chain that starts the task" }),
    watchers: z
      .array(
        z.object({
          watcher_id: ResourceId,
          watcher_name: Name,
          decision: z.enum(whyDecisions),
          run_id: orNull(ResourceId).meta({
            description: "The latest run that the watcher requested at or before `at`",
          }),
          reason: z.string().meta({ description: "The decision explained in a sentence" }),
        }),
      )
      .meta({ description: "One entry for each filesystem watcher that starts the task" }),
    triggers: z
      .array(
        z.object({
          trigger_id: ResourceId,
          trigger_name: Name,
          decision: z.enum(whyDecisions),
          run_id: ResourceId.meta({ description: "The latest run that the trigger requested at or before `at`" }),
          reason: z.string().meta({ description: "The decision explained in a sentence" }),
        }),
      )
      .meta({ description: `One entry for each trigger that requested one of the ${whyRunsMax} latest runs` }),
    manual: z
      .object({
        decision: z.enum(whyDecisions),
        run_id: ResourceId,
        reason: z.string().meta({ description: "The decision explained in a sentence" }),
      })
      .nullable()
      .meta({
        description: `The latest manual run at or before \`at\`; null if none of the ${whyRunsMax} latest runs is one`,
      }),
  })
  .meta({ id: "Why" });
export type Why = z.output<typeof Why>;
