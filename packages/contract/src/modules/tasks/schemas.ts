import { z } from "zod";
import { answerOf } from "../../core/answer.ts";
import { onlyFor } from "../../core/audience.ts";
import { limits } from "../../core/limits.ts";
import { patchOf } from "../../core/list.ts";
import { referenceTo } from "../../core/references.ts";
import {
  Description,
  Duration,
  durationBetween,
  Name,
  orNull,
  ResourceId,
  Revision,
  Timestamp,
} from "../../core/scalars.ts";
import { secret } from "../../core/secret.ts";
import { writes } from "../../core/written-resource.ts";
import { RunAs } from "./run-as.ts";
import { Concurrency, ConcurrencyInput } from "./concurrency.ts";
import { EnvironmentInput, EnvironmentNames, EnvironmentPatch, systemString } from "./environment.ts";
import { LastRun, RecentOutcome, recentOutcomesMax, recentOutcomesShown, usualDurationRuns } from "./history.ts";
import { Labels, LabelsInput, LabelsPatch } from "./labels.ts";
import { meanings } from "./meanings.ts";
import { readinessReasons } from "./readiness.ts";
import { Retention, RetentionInput } from "./retention.ts";

const ExecCommandInput = z
  .strictObject({
    kind: z.literal("exec"),
    program: systemString().min(1),
    arguments: z
      .array(systemString())
      .max(limits.argumentsMax)
      .meta({ examples: [["--all"]] })
      .default([]),
  })
  .meta({ id: "ExecCommandInput", examples: [{ kind: "exec", program: "backup", arguments: ["--all"] }] });
const ShellCommandInput = z
  .strictObject({ kind: z.literal("shell"), script: systemString().min(1) })
  .meta({ id: "ShellCommandInput", examples: [{ kind: "shell", script: "backup --all" }] });
/** `exec` starts a program directly; `shell` runs a script with `/bin/sh -c`. */
export const CommandInput = z
  .discriminatedUnion("kind", [ExecCommandInput, ShellCommandInput])
  .meta({ id: "CommandInput", examples: [{ kind: "shell", script: "backup --all" }] });
export const Command = z
  .discriminatedUnion("kind", [
    answerOf(ExecCommandInput).meta({ id: "ExecCommand" }),
    answerOf(ShellCommandInput).meta({ id: "ShellCommand" }),
  ])
  .meta({ id: "Command" });
export type Command = z.output<typeof Command>;

export const RetryInput = z
  .strictObject({
    max_attempts: z
      .int()
      .min(1)
      .max(limits.retryAttemptsMax)
      .default(1)
      .meta({ description: "The maximum number of attempts, including the first" }),
    delay: durationBetween(0, limits.retryDelayMaxMs, "The pause before the first retry").default("10s"),
    backoff: z.number().min(1).max(10).default(2).meta({ description: "The factor between one delay and the next" }),
    max_delay: durationBetween(0, limits.retryDelayMaxMs, "The longest pause before a retry").default("1h"),
    jitter: z
      .number()
      .min(0)
      .max(1)
      .default(0.1)
      .meta({ description: "Varies each delay randomly by this fraction: `0.1` turns a delay of 10s into 9s to 11s" }),
  })
  .meta({ id: "RetryInput", examples: [{ max_attempts: 3, delay: "10s" }] });
export const Retry = answerOf(RetryInput).meta({ id: "Retry" });
export type Retry = z.output<typeof Retry>;

export const OutputBoundInput = z
  .strictObject({
    max_bytes: z
      .int()
      .min(limits.outputBytesMin)
      .max(limits.outputBytesMax)
      .default(10 * 1024 * 1024)
      .meta({
        description:
          "The maximum number of bytes to keep of each stream. Of a longer stream, the beginning and the end are kept, each with half of these bytes",
      }),
  })
  .meta({ id: "OutputBoundInput", examples: [{ max_bytes: 1_048_576 }] });
export const OutputBound = answerOf(OutputBoundInput).meta({ id: "OutputBound" });

const exitCodes = z
  .array(z.int().min(0).max(255))
  .min(1)
  .max(256)
  .meta({ description: "The exit codes that count as success; all others are failures", examples: [[0, 3]] });
const timeout = orNull(durationBetween(limits.timeoutMinMs)).meta({ description: meanings.timeout });
const expectSuccessWithin = orNull(durationBetween(limits.expectSuccessMinMs)).meta({
  description: meanings.expectSuccess,
});
const killGrace = durationBetween(0, limits.killGraceMaxMs, meanings.killGrace);
const workingDirectory = orNull(
  systemString()
    .refine((path) => path.startsWith("/"), "must be an absolute path such as /srv/app")
    .meta({ pattern: String.raw`^/[^\u0000]*$` }),
).meta({
  description:
    "If null, the task runs in the home directory of its user. If that directory does not exist, it runs in `/`",
});
const priority = z
  .int()
  .min(limits.priorityMin)
  .max(limits.priorityMax)
  .meta({ description: "Among the runs that wait, those of a higher priority start first" });
const leftovers = z.enum(["leave", "kill"]).meta({
  description:
    "What happens to background processes that a task leaves when it exits by itself: they keep running, or are ended as for a cancel. A run with `kill` ends, and frees its slot, when they are gone",
});
const onLost = z.enum(["fail", "retry"]).meta({
  description:
    "What happens to a run whose runner process died, or that a restart of the machine ended: it fails, or is retried like a failure, with at least two attempts",
});
const standardInput = secret(
  orNull(
    z
      .string()
      .refine(
        (text) => new TextEncoder().encode(text).length <= limits.standardInputBytesMax,
        "must be at most 512 KiB",
      )
      .meta({ "x-maximum-bytes": limits.standardInputBytesMax }),
  ),
);

export const lifecycles = ["draft", "active", "archived"] as const;

const managers = { capability: "manage" } as const;

export const Task = z
  .object({
    id: ResourceId,
    name: Name,
    description: Description.nullable(),
    group_id: orNull(ResourceId),
    group_name: orNull(Name),
    lifecycle: z.enum(lifecycles).meta({
      description: "A draft has no command yet. An archived task does not run",
    }),
    enabled: z.boolean(),
    command: onlyFor(managers, orNull(Command)),
    run_as: onlyFor(managers, RunAs),
    working_directory: onlyFor(managers, workingDirectory),
    environment_names: onlyFor(managers, EnvironmentNames),
    has_standard_input: z.boolean().meta({ description: "Whether the task has a standard input of its own" }),
    timeout: orNull(Duration).meta({ description: meanings.timeout }),
    kill_grace: Duration.meta({ description: meanings.killGrace }),
    leftovers,
    retry: Retry,
    on_lost: onLost,
    priority,
    concurrency: Concurrency,
    success_exit_codes: exitCodes,
    output: OutputBound,
    expect_success_within: orNull(Duration).meta({ description: meanings.expectSuccess }),
    overdue: z.boolean().meta({
      description:
        "Whether `expect_success_within` has passed since the last success, or since the task was created, enabled or activated, whichever is later. False while the task is disabled or not active",
    }),
    last_success_at: orNull(Timestamp).meta({
      description: "When the last successful run ended. It stays when retention deletes that run",
    }),
    last_run: orNull(LastRun).meta({
      description:
        "The newest active run or, if there is none, the newest finished one. Skipped runs do not count, and null means that there is no such run",
    }),
    recent_outcomes: z
      .array(RecentOutcome)
      .max(recentOutcomesMax)
      .meta({
        description: `The newest runs that succeeded or failed, newest first: ${recentOutcomesShown}, or as many as a list was asked for`,
      }),
    usual_duration_ms: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description: `The median duration of the last ${usualDurationRuns} successful runs, in milliseconds; null if there is none`,
      }),
    next_run_at: orNull(Timestamp).meta({
      description:
        "The next scheduled time, of all schedules of the task; null if there is none, or if the task cannot start then: it is a draft, disabled or archived, or its group is disabled",
    }),
    retention: Retention,
    labels: Labels,
    readiness: z.enum(["ready", "not_ready"]).meta({ description: "Whether a run could start now" }),
    reason: z.enum(readinessReasons).meta({ description: "Why no run could start now, or `ready`" }),
    created_at: Timestamp,
    updated_at: Timestamp,
    revision: Revision,
  })
  .meta({ id: "Task" });
export type Task = z.output<typeof Task>;

const defaults = {
  retry: RetryInput.parse({}),
  concurrency: ConcurrencyInput.parse({}),
  output: OutputBoundInput.parse({}),
  retention: RetentionInput.parse({}),
};

export const TaskCreate = writes(
  Task,
  z
    .strictObject({
      name: Name,
      description: orNull(Description).default(null),
      group_id: orNull(referenceTo("group")).default(null).meta({ description: meanings.group }),
      enabled: z.boolean().default(true),
      command: orNull(CommandInput).default(null).meta({ description: meanings.command }),
      run_as: RunAs.default(null),
      working_directory: workingDirectory.default(null),
      environment: EnvironmentInput.default({}).meta({ description: meanings.environment }),
      standard_input: standardInput.default(null).meta({ description: meanings.standardInput }),
      timeout: timeout.default(null),
      kill_grace: killGrace.default("10s"),
      leftovers: leftovers.default("leave"),
      retry: RetryInput.default(defaults.retry).meta({ description: meanings.retry }),
      on_lost: onLost.default("fail"),
      priority: priority.default(0),
      concurrency: ConcurrencyInput.default(defaults.concurrency).meta({ description: meanings.concurrency }),
      success_exit_codes: exitCodes.default([0]),
      output: OutputBoundInput.default(defaults.output).meta({ description: meanings.output }),
      expect_success_within: expectSuccessWithin.default(null),
      retention: RetentionInput.default(defaults.retention).meta({ description: meanings.retention }),
      labels: LabelsInput.default({}).meta({ description: meanings.labels }),
    })
    .meta({ id: "TaskCreate" }),
);
export type TaskCreate = z.output<typeof TaskCreate>;

export const TaskPatch = writes(
  Task,
  patchOf({
    name: Name.optional(),
    description: orNull(Description).optional(),
    group_id: orNull(referenceTo("group")).optional().meta({ description: meanings.group }),
    enabled: z.boolean().optional(),
    command: orNull(CommandInput).optional().meta({ description: meanings.command }),
    run_as: RunAs.optional(),
    working_directory: workingDirectory.optional(),
    environment: EnvironmentPatch.optional().meta({
      description: `${meanings.environment}. Merged by name; null removes a variable`,
    }),
    standard_input: standardInput.optional().meta({ description: meanings.standardInput }),
    timeout: timeout.optional(),
    kill_grace: killGrace.optional(),
    leftovers: leftovers.optional(),
    retry: RetryInput.optional().meta({ description: meanings.retry }),
    on_lost: onLost.optional(),
    priority: priority.optional(),
    concurrency: ConcurrencyInput.optional().meta({ description: meanings.concurrency }),
    success_exit_codes: exitCodes.optional(),
    output: OutputBoundInput.optional().meta({ description: meanings.output }),
    expect_success_within: expectSuccessWithin.optional(),
    retention: RetentionInput.optional().meta({ description: meanings.retention }),
    labels: LabelsPatch.optional().meta({ description: `${meanings.labels}. Merged by name; null removes a label` }),
  }).meta({ id: "TaskPatch" }),
);
export type TaskPatch = z.output<typeof TaskPatch>;

export const TaskEnvironment = z
  .object({ environment: z.record(z.string(), z.string()) })
  .meta({ id: "TaskEnvironment" });
export const TaskStandardInput = z.object({ standard_input: z.string().nullable() }).meta({ id: "TaskStandardInput" });
