import type { Task, TaskCreate } from "@belfry/client";
import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Host } from "../host.ts";

type Command = NonNullable<TaskCreate["command"]>;

/** Programs whose first argument is a script. */
export const interpreters = /^(?:.*\/)?(?:sh|bash|dash|zsh|python[\d.]*|node|perl|ruby|php)$/;

/** The path of the program or script that a command starts; null for a name that is looked up in PATH. */
export function scriptOf(command: Command): string | null {
  const [first = "", second = ""] =
    command.kind === "exec" ? [command.program, command.arguments?.[0]] : command.script.trim().split(/\s+/);
  const script = interpreters.test(first) ? second : first;
  // a name without a slash is looked up in PATH, unless an interpreter reads it
  const isPath = script.includes("/") || (script !== first && /\.\w+$/.test(script));
  return isPath && /^[\w./][\w./@%+,-]*$/.test(script) ? script : null;
}

/** A warning if the program or script of a task does not exist where the task starts, as far as this host knows. */
export function warnOfMissingScript(task: Task, host: Pick<Host, "environment">): string | null {
  const { command } = task;
  if (command === null || command === undefined) return null;
  if (isShellCommand(command))
    return `Warning: there is no program ${JSON.stringify(command.program)}. Use --shell for a command line, or give the program and its arguments as separate words`;
  const script = scriptOf(command);
  if (script === null) return null;
  if (isAbsolute(script)) return existsSync(script) ? null : `Warning: ${script} does not exist. Check the path`;
  const directory = directoryOf(task, host);
  if (directory === null || existsSync(resolve(directory, script))) return null;
  return `Warning: ${script} does not exist in ${directory}, where the task starts. Use --cwd, or the absolute path of the script`;
}

/** `-- "echo hello; date"`: the words of a command line in the place of the program. */
function isShellCommand(command: Command): command is Command & { kind: "exec" } {
  if (command.kind !== "exec" || (command.arguments ?? []).length > 0) return false;
  return /\s/.test(command.program.trim()) && !(isAbsolute(command.program) && existsSync(command.program));
}

/** A daemon of the same user starts tasks in the user's home directory. Null for a task of another user. */
export function directoryOf(
  { working_directory: directory, run_as: user }: Pick<Task, "working_directory" | "run_as">,
  { environment }: Pick<Host, "environment">,
): string | null {
  return directory ?? (typeof user === "string" ? null : (environment["HOME"] ?? null));
}
