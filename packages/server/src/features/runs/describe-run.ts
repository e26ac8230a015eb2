import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import type { TaskRow, Tasks, WhyQuestion } from "../tasks/index.ts";
import { reasonTextFor } from "./shown-reason.ts";
import type { RunStore } from "./store.ts";
import type { RunRow } from "./table.ts";

export interface DescribeRunDeps {
  readonly runs: Pick<RunStore, "listLiveOfPool">;
  readonly tasks: Pick<Tasks, "find" | "poolOf" | "obstacleOf">;
  /** Whether this attempt waits for a runner that does not respond. */
  readonly isDelayed: (attemptId: string) => boolean;
  /** Whether the runner is of a former version that cannot start this task. */
  readonly isRunnerTooOld: (task: TaskRow) => boolean;
}

export type DescribeRun = ReturnType<typeof createDescribeRun>;

/** Describes to a viewer what a run does now or how it ended, as a predicate whose subject is the run. */
export function createDescribeRun({ runs, tasks, isDelayed, isRunnerTooOld }: DescribeRunDeps) {
  return (run: RunRow, { now, viewer }: Pick<WhyQuestion, "now" | "viewer">): string => {
    const reason = reasonTextFor(viewer, run);
    switch (run.state) {
      case "queued":
        return `${run.attempt > 0 ? describeRetry(run, reason) : describeWait(run, now)}${describeHold(run)}`;
      case "dispatching":
        return describeActive("is starting", run);
      case "running":
        return describeActive("is running", run);
      case "cancelling":
        return describeActive("is being cancelled", run);
      case "skipped":
      case "succeeded":
      case "failed":
      case "cancelled": {
        const end = reason ?? run.state;
        return run.startedAt === null && run.state !== "skipped" ? `${end} before it started` : end;
      }
    }
  };

  function describeActive(status: string, { attemptId }: RunRow): string {
    if (attemptId === null || !isDelayed(attemptId)) return status;
    return `${status}, but its runner process does not respond: see belfry doctor`;
  }

  function describeHold({ taskId }: RunRow): string {
    const task = tasks.find(taskId);
    return task !== undefined && tasks.obstacleOf(task) === "held"
      ? "; its task is held until the hold is released"
      : "";
  }

  function describeWait(run: RunRow, now: Instant): string {
    if (run.notBefore > now) return `is queued until ${formatInstant(run.notBefore)}`;
    const task = tasks.find(run.taskId);
    if (task !== undefined && tasks.obstacleOf(task) === "held") return "is queued";
    if (task !== undefined && isRunnerTooOld(task))
      return "is queued until a newer runner process is ready: the present one cannot start this task. Restart the daemon";
    const limit = task === undefined ? Infinity : tasks.poolOf(task).max;
    const active = task === undefined ? [] : runs.listLiveOfPool(task);
    if (active.length < limit) return "is queued until the limits of its groups and of the daemon allow it to start";
    const which = limit === 1 ? ` (${active[0]!.id} is active)` : "";
    return `is queued: ${nameLimit(limit, task?.concurrencyKey ?? null)} is reached${which}`;
  }
}

function nameLimit(limit: number, key: string | null): string {
  const runs = `${limit} concurrent ${limit === 1 ? "run" : "runs"}`;
  if (key === null) return `the task's limit of ${runs}`;
  return `the limit of ${runs} for the concurrency key ${JSON.stringify(key)}`;
}

function describeRetry({ attempt, attemptsMax }: RunRow, reason: string | null): string {
  return `${reason ?? "failed"}; it is waiting for attempt ${attempt + 1} of ${attemptsMax}`;
}

/** Returns the decision about a run, as `why` reports it. */
export function decisionOf(run: RunRow): "skipped" | "queued" | "ran" {
  if (run.state === "skipped") return "skipped";
  if (run.startedAt !== null) return "ran";
  return run.endedAt === null ? "queued" : "skipped";
}
