import type { Why, whyOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { formatInstant, parseInstant } from "../../kernel/time/time.ts";
import type { TaskRow, Tasks, WhyQuestion } from "../tasks/index.ts";

export interface WhyParts {
  readonly tasks: Tasks;
  /** Explains the decisions of schedules. Each module that can start a task explains its own decisions. */
  readonly explainSchedules: (question: WhyQuestion) => Why["schedules"];
  readonly explainChains: (question: WhyQuestion) => Why["chains"];
  readonly explainWatchers: (question: WhyQuestion) => Why["watchers"];
  readonly explainTriggers: (question: WhyQuestion) => Why["triggers"];
  readonly explainManual: (question: WhyQuestion) => Why["manual"];
  readonly explainLimit: (task: TaskRow) => Why["limit"];
}

/** Explains why a task ran at a time, or did not. */
export function openWhy({ tasks, ...explainers }: WhyParts) {
  const explain = (question: WhyQuestion): Why => {
    const task = tasks.get(question.taskId);
    const reason = tasks.readiness(task);
    return {
      at: formatInstant(question.at),
      readiness: reason === "ready" ? "ready" : "not_ready",
      reason,
      limit: explainers.explainLimit(task),
      schedules: [...explainers.explainSchedules(question)],
      chains: [...explainers.explainChains(question)],
      watchers: [...explainers.explainWatchers(question)],
      triggers: [...explainers.explainTriggers(question)],
      manual: explainers.explainManual(question),
    };
  };
  const operations: OperationsOf<typeof whyOperations> = {
    "tasks.why": {
      handle: ({ params, query, now, actor }) =>
        explain({ taskId: params.id, at: query.at === undefined ? now : parseInstant(query.at), now, viewer: actor }),
    },
  };
  return { operations };
}
