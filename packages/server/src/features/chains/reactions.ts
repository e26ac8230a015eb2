import { invariant } from "../../kernel/errors/invariant.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { type Requests, type RunEnded, type RunFact, type RunStore, soleSource } from "../runs/index.ts";
import type { TaskDeleted, Tasks } from "../tasks/index.ts";
import type { ChainFact } from "./facts.ts";
import type { Chains } from "./service.ts";
import type { ChainStore } from "./store.ts";

export interface ChainReactionDeps {
  readonly chains: Chains;
  readonly store: ChainStore;
  readonly tasks: Tasks;
  readonly runs: RunStore;
  readonly requests: Requests;
}

export function createChainReactions({ chains, store, tasks, runs, requests }: ChainReactionDeps) {
  return {
    /**
     * Requests a run of each target in the transaction that ends the source run, so that a crash neither loses nor
     * repeats one. A target that cannot run gets a skipped row with the reason. Cancelled and skipped runs have no
     * outcome and start nothing.
     */
    onRunEnded: (unit: Unit<RunFact>, { runId, taskId, outcome }: RunEnded): void => {
      if (outcome === null) return;
      const starting = store.listStarting(taskId, outcome);
      if (starting.length === 0) return;
      const source = runs.find(runId);
      invariant(source !== undefined && source.endedAt !== null, `run ${runId} has ended`);
      // the end is in the future if the clock was set back since: the delay is not counted from it
      const endedAt = Math.min(source.endedAt, unit.now);
      for (const chain of starting) {
        const target = tasks.find(chain.targetTaskId);
        invariant(target !== undefined, `chain ${chain.id} has a target`);
        const cause = {
          trigger: "completion",
          sourceChainId: chain.id,
          sourceTaskId: taskId,
          sourceRunId: runId,
          sourceOutcome: outcome,
          sourceExitCode: source.exitCode,
        } as const;
        requests.requestFor(unit, target, soleSource(cause, endedAt + chain.delayMs, unit.now));
      }
    },

    onTaskDeleted: (unit: Unit<ChainFact>, { taskId }: TaskDeleted): void => chains.removeOf(unit, taskId),
  };
}
