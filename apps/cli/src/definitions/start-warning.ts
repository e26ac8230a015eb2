import type { Task } from "@belfry/client";
import { findUsers } from "../crontab/accounts.ts";
import type { Host } from "../host.ts";
import { warnOfLateSchedule, warnOfShellWord } from "./argument-warning.ts";
import { warnOfDirectory, warnOfPermission, warnOfUnknownProgram } from "./program-warning.ts";
import { interpreters, warnOfMissingScript } from "./script-path.ts";

/** A warning if a task cannot start on this machine, as far as the command can see. The user or the script may come later. */
export async function warnOfStart(task: Task, host: Pick<Host, "environment">): Promise<string | null> {
  const { run_as: user } = task;
  if (typeof user === "string" && !(await findUsers([user])).has(user))
    return `Warning: there is no user ${JSON.stringify(user)} on this machine. Until there is one, each run of the task fails`;
  return (
    warnOfDirectory(task) ??
    warnOfMissingScript(task, host) ??
    warnOfPermission(task, host) ??
    warnOfUnknownProgram(task, host) ??
    warnOfLateSchedule(task) ??
    warnOfShellWord(task) ??
    warnOfVariable(task)
  );
}

/** `$HOME`, `${HOME}/x` or `--keep=$KEEP`. A variable inside of other text is often meant for the program, as in awk. */
const variable = /^(?:-[\w-]+=)?\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})(?:\/|$)/;

/** In units of systemd and in shells, variables in arguments are replaced. Here, no shell reads them. */
export function warnOfVariable({ command }: Pick<Task, "command">): string | null {
  if (command?.kind !== "exec" || interpreters.test(command.program)) return null;
  const found = [command.program, ...command.arguments].find((word) => variable.test(word));
  if (found === undefined) return null;
  return `Warning: the program gets ${JSON.stringify(found)} as it is, because no shell replaces the variable. To use its value, write the command with --shell`;
}
