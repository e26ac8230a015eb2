import { formatDuration, type RunReason } from "@belfry/contract";
import { unreachable } from "../../kernel/errors/invariant.ts";
import { readinessText } from "../tasks/index.ts";

/** The details that the text may contain. */
export interface ReasonFacts {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly timeoutMs?: number | null;
  readonly detail?: string | null;
}

/** Writes the reason as a predicate whose subject is the run, for the history and for `why`. */
export function reasonText(reason: RunReason, facts: ReasonFacts = {}): string {
  switch (reason) {
    case "exit_code":
      return `exited with code ${facts.exitCode ?? "unknown"}${tail(facts)}`;
    case "signal":
      return `was killed by ${facts.signal ?? "a signal"}${tail(facts)}`;
    case "timeout":
      return `${facts.timeoutMs == null ? "ran longer than its timeout" : `ran longer than its timeout of ${formatDuration(facts.timeoutMs)}`} and was stopped${tail(facts)}`;
    case "spawn_error":
      return `could not be started: ${facts.detail == null ? "the system gave no reason" : explainDetail(facts.detail)}`;
    case "lost":
      return `was lost because its runner process died${tail(facts)}`;
    case "cancelled":
      return `was cancelled${tail(facts)}`;
    case "replaced":
      return `was replaced by a newer run${tail(facts)}`;
    case "overlap":
      return "was skipped: the limit of concurrent runs was reached";
    case "misfire":
      return "was missed: the daemon was stopped or the machine was asleep";
    case "queue_full":
      return "was skipped: the task's queue was full";
    case "target_missing":
    case "command_incomplete":
    case "task_inactive":
    case "task_disabled":
    case "group_blocked":
    case "held":
    case "dispatch_unavailable":
      return `was skipped: ${readinessText[reason]}`;
    default:
      return unreachable(reason);
  }
}

/** Why the runs of data from elsewhere are lost, as a predicate of the run. */
export const lostElsewhere: Readonly<Record<"restored" | "moved", string>> = {
  restored: "was lost because the data was restored from a backup that was made before the run ended",
  moved: "was lost because the data came from another machine before the run ended",
};

/** The usual error codes of the system, each with a predicate whose subject is the program or directory. */
const systemErrors: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ENOENT: "was not found",
    EACCES: "cannot be executed or entered: permission denied",
    ENOTDIR: "is not a directory, or a part of its path is a file",
    E2BIG: "was given more arguments and environment than the system allows",
    ENOEXEC: "is not in a format that the system can execute",
    ENAMETOOLONG: "has a name that is longer than the system allows",
    ELOOP: "has too many symbolic links in its path",
  }),
);

export function systemErrorText(code: string): string | undefined {
  return systemErrors.get(code);
}

/** Turns `ENOENT: /bin/no` into `/bin/no was not found (ENOENT)`. The code stays, because people search for it. */
function explainDetail(detail: string): string {
  const [, code = "", subject = ""] = /^(E[A-Z0-9]+): (.+)$/s.exec(detail) ?? [];
  const predicate = systemErrors.get(code);
  return predicate === undefined ? detail : `${subject} ${predicate} (${code})`;
}

function tail(facts: ReasonFacts): string {
  return facts.detail == null ? "" : `; ${facts.detail}`;
}

/** The clause that is added to the reason of a run whose task could no longer start. */
export function notRetriedBecause(obstacle: string): string {
  return `; it was not retried because ${obstacle}`;
}
