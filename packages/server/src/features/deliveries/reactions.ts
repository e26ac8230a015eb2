import { describeError, isStorageFailure } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { type Assignments, isWanted } from "../assignments/index.ts";
import type { Channels } from "../channels/index.ts";
import type { RunEnded, RunStore } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import type { Deliveries } from "./service.ts";
import type { DeliveryFact } from "./facts.ts";
import { type DeliveryHead, runCompletedPayload } from "./payload.ts";

export interface DeliveryReactionDeps {
  readonly log: Log;
  readonly channels: Pick<Channels, "find">;
  readonly assignments: Assignments;
  readonly deliveries: Deliveries;
  readonly runs: RunStore;
  readonly tasks: Tasks;
}

export function createDeliveryReactions(deps: DeliveryReactionDeps) {
  const { log, channels, assignments, deliveries, runs, tasks } = deps;
  return {
    /** Queues the deliveries of a run in the transaction that ends the run, so that a crash cannot lose them. */
    onRunEnded: (unit: Unit<DeliveryFact>, fact: RunEnded): void => {
      const { outcome } = fact;
      // cancelled, replaced and skipped runs have no outcome and no notifications
      if (outcome === null || !assignments.hasAny()) return;
      const run = runs.find(fact.runId);
      const task = tasks.find(fact.taskId);
      if (run === undefined || task === undefined) return;
      const policy = assignments.effectiveOf(task);
      if (policy === null) return;
      const ended = { run, outcome };
      const make = (head: DeliveryHead) => runCompletedPayload(head, ended);
      for (const assignment of policy.assignments) {
        const channel = channels.find(assignment.channelId);
        if (channel?.enabled !== true || !isWanted(assignment, outcome)) continue;
        try {
          deliveries.queue(unit, channel, { make, taskId: run.taskId, runId: run.id });
        } catch (error) {
          if (isStorageFailure(error)) throw error;
          // a channel whose secrets cannot be opened must not prevent the end of the run
          log.error("delivery.not_queued", { channel_id: channel.id, run_id: run.id, error: describeError(error) });
        }
      }
    },
    onDeliveryEnded: (unit: Unit<DeliveryFact>): void => deliveries.prune(unit),
  };
}
