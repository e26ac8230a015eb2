import type { Task, TaskCreate } from "@belfry/client";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Host } from "../host.ts";

type Command = NonNullable<TaskCreate["command"]>;

/** Programs whose first argument is a script. */
const interpreters = /^(?:.*\/)?(?:sh|bash|dash|zsh|python[\d.]*|node|perl|ruby|php)$/;

/** The relative path of the script that a command starts, or null. */
export function relativeScriptOf(command: Command): string | null {
  const [first = "", second = ""] =
    command.kind === "exec" ? [command.program, command.arguments?.[0]] : command.script.trim().split(/\s+/);
  const script = interpreters.test(first) ? second : first;
  // a name without a slash is looked up in PATH, unless an interpreter reads it
  const isPath = script.includes("/") || (script !== first && /\.\w+$/.test(script));
  return isPath && /^[\w.][\w./@%+,-]*$/.test(script) ? script : null;
}

/** A warning if the script of a task does not exist in the directory in which it starts, as far as this host knows. */
export function warnOfMissingScript(task: Task, host: Pick<Host, "environment">): string | null {
  const directory = directoryOf(task, host);
  const { command } = task;
  if (directory === null) return null;
  const script = command === null || command === undefined ? null : relativeScriptOf(command);
  if (script === null || existsSync(resolve(directory, script))) return null;
  return `Warning: ${script} does not exist in ${directory}, where the task starts. Use --cwd, or the absolute path of the script`;
}

/** A daemon of the same user starts tasks in the user's home directory. Null for a task of another user. */
function directoryOf(
  { working_directory: directory, run_as: user }: Task,
  { environment }: Pick<Host, "environment">,
): string | null {
  return directory ?? (typeof user === "string" ? null : (environment["HOME"] ?? null));
}
