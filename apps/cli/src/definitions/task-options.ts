import { limits } from "@belfry/contract";
import { clearable, duration, integer, oneOf, text, texts } from "../options.ts";

/** What can be said of a task when it is added or changed. */
export const taskOptions = {
  shell: text("--shell <script>", "a script for /bin/sh, in place of a program after --"),
  description: text("--description <text>", "what it is for"),
  cwd: text("--cwd <dir>", "where it starts (the home directory)"),
  env: texts("--env <name>", "a variable, copied from your environment"),
  envFile: text("--env-file <file>", "variables from a file of NAME=value lines; - is standard input"),
  stdin: text("--stdin <file>", "its standard input; - is your standard input"),
  timeout: duration("--timeout <duration>", "end each attempt after this long"),
  killGrace: duration("--kill-grace <duration>", "between TERM and KILL (10s)"),
  retries: integer("--retries <n>", "try again this often after a failure (0)", {
    min: 0,
    max: limits.retryAttemptsMax - 1,
  }),
  retryDelay: duration("--retry-delay <duration>", "before the first retry; doubles each time (10s)"),
  limit: integer("--limit <n>", "runs of it at once (1)", { min: 1, max: limits.concurrencyMax }),
  onConflict: oneOf("--on-conflict <what>", "what becomes of a run over the limit", ["queue", "skip"]),
  priority: integer("--priority <n>", "higher starts first (0)", { min: limits.priorityMin, max: limits.priorityMax }),
  successExit: texts("--success-exit <code>", "an exit code that counts as success (0)"),
  maxOutput: text("--max-output <bytes>", "kept of stdout and of stderr, such as 1MiB (10MiB)"),
  keepRuns: integer("--keep-runs <n>", "ended runs kept (500)", { min: 1, max: limits.retentionRunsMax }),
  keepFor: duration("--keep-for <duration>", "ended runs older than this go (90d)"),
  label: texts("--label <key=value>", "a label"),
} as const;

/** The same for a change, which can also take members away. */
export const taskChanges = {
  ...taskOptions,
  description: clearable(taskOptions.description),
  cwd: clearable(taskOptions.cwd),
  stdin: clearable(taskOptions.stdin),
  timeout: clearable(taskOptions.timeout),
} as const;
