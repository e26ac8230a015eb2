import { formatDuration, type RunReason } from "@belfry/contract";
import { unreachable } from "../../kernel/errors/invariant.ts";
import { readinessText } from "../tasks/index.ts";

/** What the sentence may need beside the reason. */
export interface ReasonFacts {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly timeoutMs?: number | null;
  readonly detail?: string | null;
}

/** The reason in a sentence, for history and for `why`. */
export function reasonText(reason: RunReason, facts: ReasonFacts = {}): string {
  switch (reason) {
    case "exit_code":
      return `exited with code ${facts.exitCode ?? "unknown"}${tail(facts)}`;
    case "signal":
      return `was ended by ${facts.signal ?? "a signal"}${tail(facts)}`;
    case "timeout":
      return `${facts.timeoutMs == null ? "ran longer than its timeout" : `ran longer than its timeout of ${formatDuration(facts.timeoutMs)}`} and was stopped${tail(facts)}`;
    case "spawn_error":
      return `could not be started: ${facts.detail == null ? "the system gave no reason" : inWords(facts.detail)}`;
    case "lost":
      return `its runner died, and what it left was ended${tail(facts)}`;
    case "cancelled":
      return `was cancelled${tail(facts)}`;
    case "overlap":
      return "was skipped: a run of the task was still under way";
    case "misfire":
      return "was missed while the daemon was not running or the machine slept";
    case "queue_full":
      return "was skipped: the task's queue is full";
    case "target_missing":
    case "command_incomplete":
    case "task_inactive":
    case "task_disabled":
    case "group_blocked":
    case "dispatch_unavailable":
      return `was skipped: ${readinessText[reason]}`;
    default:
      return unreachable(reason);
  }
}

/** What the system's usual codes say of the program or directory that comes after them. */
const systemWords: Readonly<Record<string, string>> = {
  ENOENT: "was not found",
  EACCES: "may not be executed or entered",
  ENOTDIR: "is not a directory, or leads through something that is none",
  E2BIG: "was given arguments and environment that are longer together than the system takes",
  ENOEXEC: "is in no format that the system can execute",
  ENAMETOOLONG: "has a longer name than the system takes",
  ELOOP: "leads through too many links",
};

/** `ENOENT: /bin/no` as a person would say it. The code stays: it is what people search for. */
function inWords(detail: string): string {
  const [, code = "", what = ""] = /^(E[A-Z0-9]+): (.+)$/s.exec(detail) ?? [];
  const words = systemWords[code];
  return words === undefined ? detail : `${what} ${words} (${code})`;
}

function tail(facts: ReasonFacts): string {
  return facts.detail == null ? "" : `; ${facts.detail}`;
}
