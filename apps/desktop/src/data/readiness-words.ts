import type { Task } from "@belfry/client";
import type { StatusKind } from "../components/status.tsx";

type Reason = Task["reason"];

const words: Readonly<Record<Reason, readonly [StatusKind, string, string]>> = {
  ready: ["ready", "Ready", "The task can start."],
  target_missing: ["attention", "Task missing", "The task was deleted."],
  command_incomplete: ["off", "Draft", "The task has no command yet."],
  task_inactive: ["off", "Not active", "The task is a draft or archived."],
  task_disabled: ["off", "Disabled", "The task is disabled."],
  group_blocked: ["off", "Group disabled", "The group of the task, or a group above it, is disabled."],
  held: ["attention", "Held", "A hold keeps the task from starting."],
  dispatch_unavailable: ["attention", "Not starting", "The daemon cannot start tasks now. Run belfry doctor."],
};

export interface Readiness {
  readonly kind: StatusKind;
  readonly word: string;
  readonly text: string;
}

/** Whether something can start, in words. */
export function describeReadiness(reason: Reason): Readiness {
  const [kind, word, text] = words[reason] ?? ["attention", reason, reason];
  return { kind, word, text };
}

/** The state of a task in a list: what runs or went wrong comes before what could be. */
export function describeTask({
  last_run,
  recent_outcomes,
  reason,
  overdue,
  lifecycle,
}: Pick<Task, "last_run" | "recent_outcomes" | "reason" | "overdue" | "lifecycle">): Readiness {
  if (last_run?.state === "running" || last_run?.state === "cancelling")
    return { kind: "running", word: "Running", text: "A run is active." };
  if (lifecycle === "archived") return { kind: "off", word: "Archived", text: "The task is archived." };
  if (reason !== "ready") return describeReadiness(reason);
  if (overdue)
    return { kind: "attention", word: "Overdue", text: "No run succeeded within the time that the task expects." };
  if (recent_outcomes[0]?.outcome === "failure") {
    const since = recent_outcomes.findIndex(({ outcome }) => outcome === "success");
    const failures = since === -1 ? recent_outcomes.length : since;
    return {
      kind: "failure",
      word: failures > 1 ? `Failing (${failures})` : "Failed",
      text: `The last ${failures > 1 ? `${failures} runs` : "run"} failed.`,
    };
  }
  return describeReadiness("ready");
}
