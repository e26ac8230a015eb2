import type { Task } from "@belfry/client";
import { accessSync, constants, statSync, type Stats } from "node:fs";
import { join, resolve } from "node:path";
import type { Host } from "../host.ts";
import { directoryOf, scriptOf } from "./script-path.ts";

type Started = Pick<Task, "command" | "working_directory" | "run_as" | "environment_names" | "group_id">;

/** A warning if the task starts in a directory that does not exist. */
export function warnOfDirectory({ working_directory: directory }: Pick<Task, "working_directory">): string | null {
  if (typeof directory !== "string") return null;
  const stats = statOf(directory);
  if (stats === "unknown" || stats?.isDirectory() === true) return null;
  const fault = stats === null ? "does not exist" : "is not a directory";
  return `Warning: ${directory}, where the task starts, ${fault}. Create the directory, or change it with --cwd`;
}

/** A warning if the program exists as a file that nobody may execute. An interpreter only reads its script. */
export function warnOfPermission(task: Started, host: Pick<Host, "environment">): string | null {
  const { command } = task;
  if (command === null || command === undefined) return null;
  const script = scriptOf(command);
  const first = command.kind === "exec" ? command.program : command.script.trim().split(/\s+/, 1)[0];
  const directory = directoryOf(task, host);
  if (script === null || script !== first || (directory === null && !script.startsWith("/"))) return null;
  const stats = statOf(resolve(directory ?? "/", script));
  if (stats === null || stats === "unknown" || !stats.isFile() || (stats.mode & 0o111) !== 0) return null;
  return `Warning: ${script} is not executable. Use chmod +x, or start it with its interpreter, such as sh ${script}`;
}

/** Where programs are most often, whatever the PATH of this shell. */
const systemFolders = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/** A warning for a name that no PATH finds. The PATH of the task or of its group may name another folder. */
export function warnOfUnknownProgram(task: Started, { environment }: Pick<Host, "environment">): string | null {
  const { command, environment_names: names, group_id: group } = task;
  if (command?.kind !== "exec" || !/^[\w.+-]+$/.test(command.program)) return null;
  if (names === undefined || names.includes("PATH") || group !== null) return null;
  const folders = [...systemFolders, ...(environment["PATH"] ?? "").split(":").filter((folder) => folder !== "")];
  if (folders.some((folder) => isProgram(join(folder, command.program)))) return null;
  return `Warning: there is no program ${JSON.stringify(command.program)} on the PATH. Install it, or give its absolute path`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Null if nothing is there; unknown if this user may not look. */
function statOf(path: string): Stats | null | "unknown" {
  try {
    return statSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : "unknown";
  }
}
