import type { Task } from "@belfry/client";
import { readDuration } from "../input/duration.ts";
import { interpreters } from "./script-path.ts";

/** A redirection, a pipe or a list of commands, as an argument of its own. A semicolon ends the `-exec` of `find`. */
const shellWord = /^(?:\||\|\||&&|<|&>>?|\d?>>?|\d?>>?(?:&\d|\/.*))$/;

/** Programs to which such a word is a pattern, a delimiter or an operator. */
const readers =
  /^(?:.*\/)?(?:\[|test|expr|[efr]?grep|rg|ag|ack|find|tr|cut|paste|join|column|sort|sed|[gm]?awk|jq|yq|bc|psql|mysql|sqlite3)$/;

/** The shell that reads the command line would have removed an unquoted one. */
export function warnOfShellWord({ command }: Pick<Task, "command">): string | null {
  if (command?.kind !== "exec" || interpreters.test(command.program) || readers.test(command.program)) return null;
  const found = command.arguments.find((word) => shellWord.test(word));
  if (found === undefined) return null;
  return `Warning: the program gets ${JSON.stringify(found)} as an argument, because no shell reads it. For a redirection or a pipe, write the command with --shell`;
}

/** `-- backup --cron "0 3 * * *"`: the schedule became two arguments of the program, so the task has none. */
export function warnOfLateSchedule({
  command,
  next_run_at: next,
}: Pick<Task, "command" | "next_run_at">): string | null {
  if (command?.kind !== "exec" || next !== null || /^(?:.*\/)?belfry$/.test(command.program)) return null;
  const words = command.arguments.flatMap((word) => /^(--\w+)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  const option = words.find((word, index) => isSchedule(word, words[index + 1] ?? ""));
  if (option === undefined) return null;
  return `Warning: the program gets ${option}, because it stands after --, and the task has no schedule. Put ${option} before --`;
}

function isSchedule(option: string, value: string): boolean {
  if (option === "--every") return readDuration(value) !== null;
  return option === "--cron" && /^(?:@[a-z]+|[\d*/,-]+(?:\s+[\w*/,#-]+){4,5})$/i.test(value.trim());
}
