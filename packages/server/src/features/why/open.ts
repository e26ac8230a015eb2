import type { Why, whyOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { formatInstant, type Instant, parseInstant } from "../../kernel/time/time.ts";
import type { Tasks } from "../tasks/index.ts";

export interface WhyParts {
  readonly tasks: Tasks;
  /** Explains the decisions of schedules. Each module that can start a task explains its own decisions. */
  readonly explainSchedules: (taskId: string, at: Instant, now: Instant) => Why["schedules"];
  readonly explainChains: (taskId: string, at: Instant, now: Instant) => Why["chains"];
  readonly explainWatchers: (taskId: string, at: Instant, now: Instant) => Why["watchers"];
}

/** Explains why a task ran at a time, or did not. */
export function openWhy({ tasks, explainSchedules, explainChains, explainWatchers }: WhyParts) {
  const explain = (taskId: string, at: Instant, now: Instant): Why => {
    const reason = tasks.readiness(tasks.get(taskId));
    return {
      at: formatInstant(at),
      readiness: reason === "ready" ? "ready" : "not_ready",
      reason,
      schedules: [...explainSchedules(taskId, at, now)],
      chains: [...explainChains(taskId, at, now)],
      watchers: [...explainWatchers(taskId, at, now)],
    };
  };
  const operations: OperationsOf<typeof whyOperations> = {
    "tasks.why": {
      handle: ({ params, query, now }) =>
        explain(params.id, query.at === undefined ? now : parseInstant(query.at), now),
    },
  };
  return { operations };
}
