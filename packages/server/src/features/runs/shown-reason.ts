import { isCapabilityEnough, type Viewer } from "@belfry/contract";
import { readinessText } from "../tasks/index.ts";
import { lostElsewhere, notRetriedBecause, reasonText, systemErrorText } from "./reason-text.ts";
import type { RunRow } from "./table.ts";

export type ReasonColumns = Pick<RunRow, "reason" | "reasonText" | "exitCode" | "signal">;

/** Returns the reason as this viewer may see it: below Manage, without programs, paths and ids of processes. */
export function reasonTextFor(viewer: Viewer, row: ReasonColumns): string | null {
  return isCapabilityEnough(viewer.capability, "manage") ? row.reasonText : plainReasonText(row);
}

/**
 * Writes the reason again, from known phrases only. The stored text may name anything, and nothing marks where a
 * program or path in it begins or ends.
 */
function plainReasonText({ reason, reasonText: stored, exitCode, signal }: ReasonColumns): string | null {
  if (reason === null || stored === null) return null;
  switch (reason) {
    case "spawn_error":
      return `could not be started${whyNotStarted(stored)}`;
    case "lost":
      if (Object.values(lostElsewhere).includes(stored)) return stored;
      return reasonText(reason);
    case "timeout":
      return `${timeoutForm.exec(stored)?.[0] ?? reasonText(reason)}${whyNotRetried(stored)}`;
    default:
      return `${reasonText(reason, { exitCode, signal })}${whyNotRetried(stored)}`;
  }
}

const timeoutForm = /^ran longer than its timeout of [0-9.]+(?:ms|s|m|h|d) and was stopped/;

function whyNotStarted(stored: string): string {
  const code = /\((E[A-Z0-9]+)\)$/.exec(stored)?.[1] ?? "";
  const predicate = systemErrorText(code);
  return predicate === undefined
    ? ""
    : `: the program, its interpreter or its working directory ${predicate} (${code})`;
}

function whyNotRetried(stored: string): string {
  const clauses = Object.values(readinessText).map(notRetriedBecause);
  return clauses.find((clause) => stored.endsWith(clause)) ?? "";
}
