import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProcessId, readStat, isRunning } from "../../../src/runner/processes/processes.ts";

const stays = "while :; do sleep 0.05; done";
const begun = 'echo $$ >> "$0/pids"';
const deaf = 'trap "" TERM HUP INT';
const closed = "0<&- 1>&- 2>&-";
const emptyEnvironment = 'env -i PATH="$PATH"';

/** Shell commands that each leave a process behind. `$PLACE` is where it notes its pid. */
export const leavers = {
  "a plain background process": `sh -c '${begun}; ${stays}' "$PLACE" &`,
  "a process that forked twice": `(sh -c '${begun}; ${stays}' "$PLACE" &)`,
  "a process in a session of its own": `setsid sh -c '${begun}; ${stays}' "$PLACE" &`,
  "a process that ignores TERM": `sh -c '${deaf}; ${begun}; ${stays}' "$PLACE" &`,
  "a process that closed its descriptors": `sh -c '${begun}; ${stays}' "$PLACE" ${closed} &`,
  "a process with an empty environment": `${emptyEnvironment} sh -c '${begun}; ${stays}' "$PLACE" &`,
} as const;

/** Everything at once: only a cgroup knows that this process belongs to the task. */
export const escaped = `(${emptyEnvironment} setsid sh -c '${deaf}; ${begun}; ${stays}' "$PLACE" ${closed} &)`;

/** A script that leaves `count` processes behind and then exits. */
export function leaving(commands: readonly string[], exitCode: number): string {
  const count = commands.length;
  return `${commands.join("\n")}\nuntil [ "$(cat "$PLACE/pids" 2>/dev/null | wc -l)" -ge ${count} ]; do sleep 0.02; done\nexit ${exitCode}`;
}

/** The processes that the commands of a script have left behind, and that still run. */
export async function leftIn(place: string): Promise<readonly ProcessId[]> {
  const text = await readFile(join(place, "pids"), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((pid) => readStat(Number(pid)))
    .filter((stat) => stat !== null)
    .filter(isRunning);
}
