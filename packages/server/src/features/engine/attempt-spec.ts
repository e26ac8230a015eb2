import { join } from "node:path";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
import type { AttemptEnd, AttemptSpec } from "../../runner/protocol/messages.ts";
import type { RunRow } from "../runs/index.ts";
import type { TaskRow, Tasks } from "../tasks/index.ts";

export interface SpecDeps {
  readonly tasks: Tasks;
  readonly baseEnvironment: Readonly<Record<string, string>>;
  readonly homeDirectory: string;
  /** Where the lists of files are that runs of watchers are for. */
  readonly runFiles: string;
}

/**
 * Builds what the runner needs to start one attempt. The environment consists of the daemon's few base variables, then
 * the groups', the task's and the run's; a later one wins. It has nothing else of the daemon's environment.
 */
export function attemptSpec(deps: SpecDeps, task: TaskRow, run: RunRow): AttemptSpec {
  const { command } = task;
  invariant(command !== null, `a task that is dispatched has a command: ${task.id}`);
  const standardInput = deps.tasks.standardInputOf(task);
  const filesList = run.sourceWatcherId === null ? null : join(deps.runFiles, run.id);
  return {
    ...(command.kind === "exec"
      ? { program: command.program, arguments: command.arguments }
      : { program: "/bin/sh", arguments: ["-c", command.script] }),
    directory: task.workingDirectory ?? deps.homeDirectory,
    environment: {
      ...(task.runAs === null ? deps.baseEnvironment : withoutUser(deps.baseEnvironment)),
      ...withoutFilesList(deps.tasks.environmentOf(task)),
      ...runEnvironment(run, filesList),
    },
    standardInput: standardInput === null ? null : Buffer.from(standardInput, "utf8").toString("base64"),
    timeoutMs: task.timeoutMs,
    graceMs: task.killGraceMs,
    outputBytesMax: task.outputBytesMax,
    ...needsOf(task, filesList),
  };
}

/** Returns what decides which version of the order can express this task. */
export function needsOf(
  { runAs, workingDirectory, leftovers }: TaskRow,
  filesList: string | null = null,
): Pick<AttemptSpec, "user" | "leftovers"> {
  const list = filesList === null ? {} : { filesList };
  return {
    ...(runAs === null ? {} : { user: { name: runAs, isAtHome: workingDirectory === null, ...list } }),
    ...(leftovers === "kill" ? { leftovers } : {}),
  };
}

/** Removes what belongs to the daemon's user. The runner sets the first four for the task's user. */
function withoutUser({ HOME: _, USER: _2, LOGNAME: _3, SHELL: _4, TMPDIR: _5, ...rest }: SpecDeps["baseEnvironment"]) {
  return rest;
}

/** Makes the end of an attempt whose specification cannot be built. */
export function unspecifiedEnd(now: Instant): AttemptEnd {
  const none = { written: 0, cut: 0 };
  return {
    cause: "spawn_error",
    exitCode: null,
    signal: null,
    detail: "the stored environment or standard input of the task cannot be decrypted",
    pid: null,
    startedAt: null,
    endedAt: now,
    durationMs: 0,
    stdout: none,
    stderr: none,
  };
}

/** Only the run of a watcher has a list, so that a task's own value is never taken for one. */
function withoutFilesList({ BELFRY_FILES_FILE: _, ...rest }: Readonly<Record<string, string>>) {
  return rest;
}

function runEnvironment(run: RunRow, filesList: string | null): Record<string, string> {
  return {
    BELFRY_RUN_ID: run.id,
    BELFRY_TASK_ID: run.taskId,
    BELFRY_ATTEMPT: String(run.attempt),
    BELFRY_TRIGGER: run.trigger,
    BELFRY_SCHEDULED_FOR: formatInstant(run.scheduledFor),
    ...(run.sourceRunId === null ? {} : { BELFRY_SOURCE_RUN_ID: run.sourceRunId }),
    ...(run.sourceOutcome === null ? {} : { BELFRY_SOURCE_OUTCOME: run.sourceOutcome }),
    ...(run.sourceExitCode === null ? {} : { BELFRY_SOURCE_EXIT_CODE: String(run.sourceExitCode) }),
    ...(filesList === null ? {} : { BELFRY_FILES_FILE: filesList }),
  };
}
