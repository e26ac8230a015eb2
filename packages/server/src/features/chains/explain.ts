import type { Why } from "@belfry/contract";
import { decisionOf, type DescribeRun, reasonTextFor, type RunRow, type RunStore } from "../runs/index.ts";
import type { WhyQuestion } from "../tasks/index.ts";
import type { ChainStore, NamedChain } from "./store.ts";

export interface ExplainDeps {
  readonly store: Pick<ChainStore, "list">;
  readonly runs: Pick<RunStore, "findNewestEnd" | "findByEnd">;
  readonly describeRun: DescribeRun;
}

const whole = { limit: Number.MAX_SAFE_INTEGER - 1, after: null };
const outcomeVerbs = { success: "succeeded", failure: "failed" } as const;

/**
 * Explains, for each chain that starts a task, what followed from the latest run of its source. Reads the rows that
 * decided it.
 */
export function createExplainChains({ store, runs, describeRun }: ExplainDeps) {
  return (question: WhyQuestion): Why["chains"] =>
    store.list({ targetTaskId: question.taskId }, whole).map((chain) => {
      const sourceRun = runs.findNewestEnd(chain.sourceTaskId, question.at);
      const run = sourceRun === undefined ? undefined : runs.findByEnd(chain.id, sourceRun.id);
      return {
        chain_id: chain.id,
        source_task_id: chain.sourceTaskId,
        source_task_name: chain.sourceTaskName,
        decision: run === undefined ? "not_due" : decisionOf(run),
        run_id: run?.id ?? null,
        source_run_id: sourceRun?.id ?? null,
        reason: run === undefined ? whyNoRun(chain, sourceRun, question) : whyRun(chain, run, question),
      };
    });

  function whyRun(chain: NamedChain, run: RunRow, question: WhyQuestion): string {
    const outcome = outcomeVerbs[run.sourceOutcome ?? "success"];
    return `${JSON.stringify(chain.sourceTaskName)} ${outcome}, and the run after it ${describeRun(run, question)}`;
  }
}

function whyNoRun(chain: NamedChain, sourceRun: RunRow | undefined, { viewer }: WhyQuestion): string {
  const source = JSON.stringify(chain.sourceTaskName);
  if (sourceRun === undefined)
    return `There is no record of an ended run of ${source} by this time: none had ended, or retention deleted it`;
  const { outcome, endedAt } = sourceRun;
  if (outcome === null)
    return `${source} ${reasonTextFor(viewer, sourceRun)}, so it has no outcome and starts no other task`;
  if (chain.onOutcome !== "any" && chain.onOutcome !== outcome)
    return `${source} ${outcomeVerbs[outcome]}, and the chain starts its task only after a ${chain.onOutcome}`;
  if (endedAt !== null && chain.createdAt > endedAt) return `The chain did not exist yet when ${source} ended`;
  if (!chain.enabled) return "The chain is disabled";
  return `There is no record of a run after ${source} ended: the chain has changed since then, or retention deleted the run`;
}
