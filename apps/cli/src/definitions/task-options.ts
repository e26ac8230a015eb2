import { limits } from "@belfry/contract";
import { clearable, duration, forChange, integer, oneOf, text, texts } from "../options.ts";
import { envFrom } from "./env-from.ts";

/** Options of a task, when it is added or changed. */
export const taskOptions = {
  shell: text("--shell <script>", "run a script with /bin/sh, instead of a program after --"),
  description: text("--description <text>", "description of the task"),
  runAs: text(
    "--run-as <user>",
    "user that runs the task; needs a daemon that runs as root (default: the daemon's user)",
  ),
  cwd: text("--cwd <dir>", "working directory (default: the home directory of the task's user)"),
  env: texts("--env <name>", "set a variable, with its value from your environment"),
  envFrom,
  stdin: text("--stdin <file>", "file to pass to the task's standard input; - reads your standard input"),
  timeout: duration(
    "--timeout <duration>",
    "time limit of each attempt (default none)",
    "A task without --timeout has no time limit. To remove a limit, use: belfry task edit <task> --no-timeout",
  ),
  killGrace: duration("--kill-grace <duration>", "time between TERM and KILL (default 10s)"),
  leftovers: oneOf("--leftovers <action>", "action for background processes that the task leaves when it exits", {
    choices: ["leave", "kill"],
    byDefault: "leave",
  }),
  retries: integer("--retries <n>", "maximum number of retries after a failure (default 0)", {
    min: 0,
    max: limits.retryAttemptsMax - 1,
  }),
  retryDelay: duration(
    "--retry-delay <duration>",
    "delay before the first retry; doubles with each retry, to at most 1h (default 10s)",
  ),
  onLost: oneOf("--on-lost <action>", "action for a run whose runner process died, or that a restart ended", {
    choices: ["fail", "retry"],
    byDefault: "fail",
  }),
  limit: integer("--limit <n>", "maximum concurrent runs of this task (default 1)", {
    min: 1,
    max: limits.concurrencyMax,
  }),
  concurrencyKey: text(
    "--concurrency-key <key>",
    "share one limit with all tasks that have this key: the lowest of their limits (default none)",
  ),
  onConflict: oneOf("--on-conflict <action>", "action for a new run when the limit is reached", {
    choices: ["queue", "skip", "replace"],
    byDefault: "queue",
  }),
  priority: integer("--priority <n>", "priority among queued runs; higher priorities start first (default 0)", {
    min: limits.priorityMin,
    max: limits.priorityMax,
  }),
  successExit: texts("--success-exit <code>", "exit code that counts as success; all others are failures (default 0)"),
  maxOutput: text(
    "--max-output <bytes>",
    "maximum output to keep per stream, for example 1MiB (default 10MiB); the middle of a longer output is dropped",
  ),
  expectSuccess: duration(
    "--expect-success <duration>",
    "report the task as overdue when it has not succeeded for this long, for example 26h (default none)",
    "A task without --expect-success is never overdue. To stop the reports, use: belfry task edit <task> --no-expect-success",
  ),
  keepRuns: integer("--keep-runs <n>", "number of finished runs to keep (default 500)", {
    min: 1,
    max: limits.retentionRunsMax,
  }),
  keepFor: duration("--keep-for <duration>", "delete finished runs older than this (default 90d)"),
  keepBytes: text(
    "--keep-bytes <bytes>",
    "delete the oldest finished runs when the kept output of all is larger, for example 100MiB (default 1GiB)",
  ),
  label: texts("--label <key=value>", "set a label"),
} as const;

/** The same for a change, with options that clear a value. */
export const taskChanges = forChange({
  ...taskOptions,
  description: clearable(taskOptions.description, "clear the description"),
  runAs: clearable(taskOptions.runAs, "run the task as the daemon's user"),
  cwd: clearable(taskOptions.cwd, "use the default working directory"),
  stdin: clearable(taskOptions.stdin, "clear the standard input"),
  concurrencyKey: clearable(taskOptions.concurrencyKey, "stop sharing the limit with other tasks"),
  expectSuccess: clearable(taskOptions.expectSuccess, "expect no success"),
  timeout: clearable(taskOptions.timeout, "remove the timeout"),
});
