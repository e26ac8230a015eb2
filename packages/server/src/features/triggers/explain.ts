import type { Why } from "@belfry/contract";
import { formatInstant } from "../../kernel/time/time.ts";
import { decisionOf, type DescribeRun, listNewestRuns, type RunStore } from "../runs/index.ts";
import type { WhyQuestion } from "../tasks/index.ts";
import type { TriggerStore } from "./store.ts";

export interface ExplainDeps {
  readonly store: Pick<TriggerStore, "find">;
  readonly runs: Pick<RunStore, "list">;
  readonly describeRun: DescribeRun;
}

/** Explains the latest fire of each trigger that fired lately. A deleted trigger has no name to show. */
export function createExplainTriggers({ store, runs, describeRun }: ExplainDeps) {
  return (question: WhyQuestion): Why["triggers"] => {
    const seen = new Set<string>();
    return listNewestRuns(runs, question).flatMap((run) => {
      const id = run.sourceTriggerId;
      if (id === null || seen.has(id)) return [];
      seen.add(id);
      const trigger = store.find(id);
      if (trigger === undefined) return [];
      const reason = `The trigger was fired at ${formatInstant(run.queuedAt)}, and its run ${describeRun(run, question)}`;
      return [{ trigger_id: id, trigger_name: trigger.name, decision: decisionOf(run), run_id: run.id, reason }];
    });
  };
}
