import type { Why } from "@belfry/contract";
import { formatInstant } from "../../kernel/time/time.ts";
import type { WhyQuestion } from "../tasks/index.ts";
import { decisionOf, type DescribeRun } from "./describe-run.ts";
import { listNewestRuns } from "./newest-runs.ts";
import type { RunStore } from "./store.ts";

export interface ExplainManualDeps {
  readonly store: Pick<RunStore, "list">;
  readonly describe: DescribeRun;
}

/** Explains the latest run that somebody requested by hand. */
export function createExplainManual({ store, describe }: ExplainManualDeps) {
  return (question: WhyQuestion): Why["manual"] => {
    const run = listNewestRuns(store, question).find(({ trigger }) => trigger === "manual");
    if (run === undefined) return null;
    const reason = `The run was requested at ${formatInstant(run.queuedAt)}, and it ${describe(run, question)}`;
    return { decision: decisionOf(run), run_id: run.id, reason };
  };
}
