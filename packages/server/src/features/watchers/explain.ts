import type { Why } from "@belfry/contract";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import { decisionOf, type DescribeRun, type RunRow, type RunStore } from "../runs/index.ts";
import { readinessText, type Tasks, type WhyQuestion } from "../tasks/index.ts";
import type { ObservationOf } from "./observation.ts";
import type { WatcherStore } from "./store.ts";
import type { WatcherRow } from "./table.ts";

export interface ExplainDeps {
  readonly store: Pick<WatcherStore, "list">;
  readonly runs: Pick<RunStore, "findNewestOfWatcher" | "findUnfinishedOfWatcher">;
  readonly tasks: Pick<Tasks, "find" | "readiness">;
  readonly observationOf: ObservationOf;
  readonly describeRun: DescribeRun;
}

type Entry = Why["watchers"][number];
type Answer = Pick<Entry, "decision" | "reason">;

const notStored =
  "Files have changed, but the daemon could not store a run for them. It tries again every second, and its log contains the error";
const whole = { limit: Number.MAX_SAFE_INTEGER - 1, after: null };

/** For each watcher that starts a task, its latest run, and for the present also what it waits for. No path is named. */
export function createExplainWatchers({ store, runs, tasks, observationOf, describeRun }: ExplainDeps) {
  return (question: WhyQuestion): Why["watchers"] => {
    const { taskId, at, now } = question;
    return store.list({ targetTaskId: taskId }, whole).map((watcher) => {
      const run = runs.findNewestOfWatcher(watcher.id, at);
      return {
        watcher_id: watcher.id,
        watcher_name: watcher.name,
        run_id: run?.id ?? null,
        ...((at >= now ? whyNow(watcher) : null) ??
          (run === undefined ? whyNoRun(watcher, at) : whyRun(run, question))),
      };
    });
  };

  /** What keeps changes from a run at present; null if nothing does. */
  function whyNow(watcher: WatcherRow): Answer | null {
    if (!watcher.enabled) return { decision: "not_due", reason: "The watcher is disabled" };
    const { health, isSettling, waitsFor } = observationOf(watcher);
    if (waitsFor === "retry") return { decision: "upcoming", reason: notStored };
    if (waitsFor !== null) return { decision: "upcoming", reason: `Files have changed, and ${whyWaiting(watcher)}` };
    if (isSettling)
      return { decision: "upcoming", reason: "Files have changed, and the watcher waits until they stay unchanged" };
    if (isObserving(health.state)) return null;
    return { decision: "not_due", reason: `The watcher does not observe its files now. ${health.reason}` };
  }

  function whyWaiting({ id, targetTaskId }: WatcherRow): string {
    const unfinished = runs.findUnfinishedOfWatcher(id);
    if (unfinished !== undefined) return `the next run waits until ${unfinished.id} ends`;
    const obstacle = tasks.readiness(tasks.find(targetTaskId));
    return obstacle === "ready"
      ? "the next run waits until the limit of concurrent runs allows it"
      : `no run can start: ${readinessText[obstacle]}`;
  }

  function whyRun(run: RunRow, question: WhyQuestion): Answer {
    const handedAt = formatInstant(run.scheduledFor);
    return {
      decision: decisionOf(run),
      reason: `Files had changed by ${handedAt}, and the run for them ${describeRun(run, question)}`,
    };
  }

  function whyNoRun(watcher: WatcherRow, at: Instant): Answer {
    const reason =
      watcher.createdAt > at
        ? "The watcher did not exist yet"
        : "There is no record of a run: the watcher had found no changed files by this time, or retention deleted the run";
    return { decision: "not_due", reason };
  }
}

function isObserving(state: string): boolean {
  return state === "observing" || state === "polling" || state === "degraded";
}
