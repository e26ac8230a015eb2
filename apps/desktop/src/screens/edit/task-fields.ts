import type { Task, TaskCreate, TaskPatch } from "@belfry/client";
import { argumentLinesProblem, argumentsOf, linesOfArguments } from "./argument-lines.ts";

/** A task as a form has it: texts, which the daemon checks. */
export interface TaskForm {
  readonly name: string;
  readonly description: string;
  readonly groupId: string;
  readonly commandKind: "shell" | "exec";
  readonly script: string;
  readonly program: string;
  /** One argument a line, or its JSON string. */
  readonly argumentLines: string;
  readonly runAs: string;
  readonly directory: string;
  readonly timeout: string;
  readonly killGrace: string;
  readonly attempts: string;
  readonly retryDelay: string;
  /** What the form does not show of the retries, and must not lose. */
  readonly retryRest: Partial<Task["retry"]>;
  readonly limit: string;
  readonly key: string;
  readonly onConflict: Task["concurrency"]["on_conflict"];
  readonly leftovers: Task["leftovers"];
  readonly onLost: Task["on_lost"];
  readonly priority: string;
  readonly exitCodes: string;
  readonly expected: string;
  readonly keepRuns: string;
  readonly keepAge: string;
  readonly keepBytes: string;
  readonly outputBytes: string;
  /** One label a line: `key: value`. */
  readonly labelLines: string;
  /** Added or replaced variables: `NAME=value` a line. Values that are kept are never shown. */
  readonly environmentLines: string;
  readonly removedNames: readonly string[];
  /** Null leaves the input as it is. */
  readonly standardInput: string | null;
}

export const emptyForm: TaskForm = {
  name: "",
  description: "",
  groupId: "",
  commandKind: "shell",
  script: "",
  program: "",
  argumentLines: "",
  runAs: "",
  directory: "",
  timeout: "",
  killGrace: "10s",
  attempts: "1",
  retryDelay: "10s",
  retryRest: {},
  limit: "1",
  key: "",
  onConflict: "queue",
  leftovers: "leave",
  onLost: "fail",
  priority: "0",
  exitCodes: "0",
  expected: "",
  keepRuns: "500",
  keepAge: "90d",
  keepBytes: "1073741824",
  outputBytes: "10485760",
  labelLines: "",
  environmentLines: "",
  removedNames: [],
  standardInput: null,
};

/** The members whose errors stand beside their fields, by what each field is called. */
export const taskLabels: Readonly<Record<string, string>> = {
  name: "Name",
  command: "Command",
  group_id: "Group",
  description: "Description",
  run_as: "Run as",
  working_directory: "Directory",
  environment: "Environment",
  standard_input: "Standard input",
  timeout: "Timeout",
  kill_grace: "Grace after a cancel",
  "retry.max_attempts": "Attempts",
  "retry.delay": "Pause before a retry",
  "concurrency.limit": "Runs at once",
  "concurrency.key": "Shared key",
  "concurrency.on_conflict": "At the limit, a new run",
  leftovers: "Processes that a run leaves",
  on_lost: "An attempt that is lost",
  success_exit_codes: "Exit codes of success",
  expect_success_within: "A success is expected every",
  priority: "Priority",
  "retention.runs": "Runs to keep",
  "retention.age": "Keep runs for",
  "retention.bytes": "Output of all runs, in bytes",
  "output.max_bytes": "Output of a stream, in bytes",
  labels: "Labels",
};

/** The form of a task as it is. */
export function formOf(task: Task): TaskForm {
  const { command } = task;
  return {
    ...emptyForm,
    name: task.name,
    description: task.description ?? "",
    groupId: task.group_id ?? "",
    ...(command?.kind === "exec"
      ? { commandKind: "exec", program: command.program, argumentLines: linesOfArguments(command.arguments) }
      : { script: command?.script ?? "" }),
    runAs: task.run_as ?? "",
    directory: task.working_directory ?? "",
    timeout: task.timeout ?? "",
    killGrace: task.kill_grace,
    attempts: String(task.retry.max_attempts),
    retryDelay: task.retry.delay,
    retryRest: task.retry,
    limit: String(task.concurrency.limit),
    key: task.concurrency.key ?? "",
    onConflict: task.concurrency.on_conflict,
    leftovers: task.leftovers,
    onLost: task.on_lost,
    priority: String(task.priority),
    exitCodes: task.success_exit_codes.join(" "),
    expected: task.expect_success_within ?? "",
    keepRuns: String(task.retention.runs),
    keepAge: task.retention.age,
    keepBytes: String(task.retention.bytes),
    outputBytes: String(task.output.max_bytes),
    labelLines: Object.entries(task.labels)
      .map(([key, value]) => `${key}: ${value}`)
      .join("\n"),
  };
}

/** The body that creates the task of a form. */
export function createBody(form: TaskForm): TaskCreate {
  const { labels, environment, ...members } = membersOf(form);
  return {
    ...members,
    labels,
    environment,
    ...(form.standardInput === null ? {} : { standard_input: form.standardInput }),
  } as TaskCreate;
}

/** The body that turns one form into the other: what changed, and nothing else. */
export function patchBody(before: TaskForm, after: TaskForm): TaskPatch {
  const former = membersOf(before);
  const next = membersOf(after);
  const patch: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(next)) {
    if (name === "labels" || name === "environment") continue;
    if (JSON.stringify(value) !== JSON.stringify(former[name as keyof typeof former])) patch[name] = value;
  }
  const labels = {
    ...Object.fromEntries(
      Object.keys(former.labels)
        .filter((key) => !(key in next.labels))
        .map((key) => [key, null]),
    ),
    ...Object.fromEntries(Object.entries(next.labels).filter(([key, value]) => former.labels[key] !== value)),
  };
  const environment = {
    ...Object.fromEntries(after.removedNames.map((name) => [name, null])),
    ...next.environment,
  };
  if (Object.keys(labels).length > 0) patch["labels"] = labels;
  if (Object.keys(environment).length > 0) patch["environment"] = environment;
  if (after.standardInput !== null) patch["standard_input"] = after.standardInput === "" ? null : after.standardInput;
  return patch;
}

/** Whether the lines of a form can be read; what is wrong with them stands beside them. */
export function areLinesRight(form: TaskForm): boolean {
  return environmentProblem(form) === null && argumentProblem(form) === null;
}

/** What is wrong with the typed arguments, or null. */
export function argumentProblem({ commandKind, argumentLines }: TaskForm): string | null {
  return commandKind === "exec" ? argumentLinesProblem(argumentLines) : null;
}

/** What is wrong with the typed variables, or null. */
export function environmentProblem({ environmentLines }: Pick<TaskForm, "environmentLines">): string | null {
  const line = environmentLines.split("\n").findIndex((text) => text.trim() !== "" && !/^[^=]+=/.test(text));
  return line === -1 ? null : `Line ${line + 1} has no name and value: write NAME=value.`;
}

/** The members of a task that a form has. */
export function membersOf(form: TaskForm) {
  const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
  return {
    name: form.name.trim(),
    description: orNull(form.description),
    group_id: orNull(form.groupId),
    command: commandOf(form),
    run_as: orNull(form.runAs),
    working_directory: orNull(form.directory),
    timeout: orNull(form.timeout),
    kill_grace: form.killGrace.trim(),
    retry: { ...form.retryRest, max_attempts: numberOf(form.attempts), delay: form.retryDelay.trim() },
    concurrency: { limit: numberOf(form.limit), key: orNull(form.key), on_conflict: form.onConflict },
    leftovers: form.leftovers,
    on_lost: form.onLost,
    priority: numberOf(form.priority),
    success_exit_codes: form.exitCodes
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(numberOf),
    expect_success_within: orNull(form.expected),
    retention: { runs: numberOf(form.keepRuns), age: form.keepAge.trim(), bytes: numberOf(form.keepBytes) },
    output: { max_bytes: numberOf(form.outputBytes) },
    labels: pairsOf(form.labelLines, ":"),
    environment: pairsOf(form.environmentLines, "="),
  };
}

function commandOf({ commandKind, script, program, argumentLines }: TaskForm): unknown {
  if (commandKind === "shell") return script.trim() === "" ? null : { kind: "shell", script };
  if (program.trim() === "") return null;
  return { kind: "exec", program: program.trim(), arguments: argumentsOf(argumentLines) };
}

/** What is no number stays as it is, so that the daemon names the member. */
function numberOf(text: string): number {
  const value = Number(text.trim());
  return text.trim() === "" || Number.isNaN(value) ? (text.trim() as unknown as number) : value;
}

function pairsOf(lines: string, separator: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const line of lines.split("\n")) {
    const at = line.indexOf(separator);
    if (line.trim() === "") continue;
    const name = (at === -1 ? line : line.slice(0, at)).trim();
    const value = at === -1 ? "" : line.slice(at + 1);
    pairs[name] = separator === ":" ? value.trim() : value;
  }
  return pairs;
}
