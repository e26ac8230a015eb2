import type { Why } from "@belfry/contract";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import type { RunRow, RunStore } from "../runs/index.ts";
import type { ChainStore, NamedChain } from "./store.ts";

export interface ExplainDeps {
  readonly store: ChainStore;
  readonly runs: RunStore;
}

interface Verdict {
  readonly decision: Why["chains"][number]["decision"];
  readonly reason: string;
}

const whole = { limit: Number.MAX_SAFE_INTEGER - 1, after: null };

/** What each chain that leads to a task made of its source's newest end at or before a time, read from the rows that decided it. */
export function createExplainChains({ store, runs }: ExplainDeps) {
  return (taskId: string, at: Instant): Why["chains"] =>
    store.list({ targetTaskId: taskId }, whole).map((chain) => {
      const end = runs.findNewestEnd(chain.sourceTaskId, at);
      const run = end === undefined ? undefined : runs.findByEnd(chain.id, end.id);
      const { decision, reason } = run === undefined ? tellNoRun(chain, end) : tellRun(chain, run);
      return {
        chain_id: chain.id,
        source_task_id: chain.sourceTaskId,
        source_task_name: chain.sourceTaskName,
        decision,
        run_id: run?.id ?? null,
        source_run_id: end?.id ?? null,
        reason,
      };
    });
}

function tellRun(chain: NamedChain, run: RunRow): Verdict {
  const after = `After ${JSON.stringify(chain.sourceTaskName)} ended with ${run.sourceOutcome} it`;
  if (run.state === "skipped") return { decision: "skipped", reason: `${after} ${run.reasonText}` };
  if (run.startedAt !== null) {
    const end = run.endedAt === null ? "is under way" : (run.reasonText ?? run.state);
    return { decision: "ran", reason: `${after} started, and ${end}` };
  }
  if (run.endedAt !== null) return { decision: "skipped", reason: `${after} ${run.reasonText} before it started` };
  const turn = chain.delayMs === 0 ? "its turn" : `its turn, not before ${formatInstant(run.scheduledFor)}`;
  return { decision: "queued", reason: `${after} waits for ${turn}` };
}

function tellNoRun(chain: NamedChain, end: RunRow | undefined): Verdict {
  const source = JSON.stringify(chain.sourceTaskName);
  const because = (reason: string): Verdict => ({ decision: "not_due", reason });
  if (end === undefined) return because(`No run of ${source} had ended up to this time`);
  if (end.outcome === null) return because(`${source} ${end.reasonText}: that is no outcome, and starts nothing`);
  if (chain.onOutcome !== "any" && chain.onOutcome !== end.outcome)
    return because(`${source} ended with ${end.outcome}, and the chain waits for ${chain.onOutcome}`);
  if (end.endedAt !== null && chain.createdAt > end.endedAt)
    return because(`The chain did not exist yet when ${source} ended`);
  if (!chain.enabled) return because(`The chain is disabled`);
  return because(`Nothing tells of this end: the chain was changed since, or the run it started was pruned`);
}
