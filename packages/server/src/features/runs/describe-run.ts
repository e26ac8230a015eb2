import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import type { WhyQuestion } from "../tasks/index.ts";
import { reasonTextFor } from "./shown-reason.ts";
import type { RunRow } from "./table.ts";
import type { ExplainWait } from "./waiting.ts";

export interface DescribeRunDeps {
  readonly explainWait: ExplainWait;
  /** Whether this attempt waits for a runner that does not respond. */
  readonly isDelayed: (attemptId: string) => boolean;
  /** Returns the pause before an unanswered order to start this attempt is repeated; null if there is none. */
  readonly findPause: (attemptId: string) => { readonly unanswered: number; readonly until: Instant } | null;
}

export type DescribeRun = ReturnType<typeof createDescribeRun>;

/** Describes to a viewer what a run does now or how it ended, as a predicate whose subject is the run. */
export function createDescribeRun({ explainWait, isDelayed, findPause }: DescribeRunDeps) {
  return (run: RunRow, question: Pick<WhyQuestion, "now" | "viewer">): string => {
    switch (run.state) {
      case "queued":
        return explainWait(run, question).text;
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
        const end = reasonTextFor(question.viewer, run) ?? run.state;
        return run.startedAt === null && run.state !== "skipped" ? `${end} before it started` : end;
      }
    }
  };

  function describeActive(status: string, { attemptId }: RunRow): string {
    if (attemptId === null) return status;
    const pause = findPause(attemptId);
    if (pause !== null)
      return `${status}, but ${pause.unanswered} runner processes did not answer the order to start it: the order is sent again at ${formatInstant(pause.until)}`;
    if (!isDelayed(attemptId)) return status;
    return `${status}, but its runner process does not respond: see belfry doctor`;
  }
}

/** Returns the decision about a run, as `why` reports it. */
export function decisionOf(run: RunRow): "skipped" | "queued" | "ran" {
  if (run.state === "skipped") return "skipped";
  if (run.startedAt !== null) return "ran";
  return run.endedAt === null ? "queued" : "skipped";
}
