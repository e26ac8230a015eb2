import { describeError, isStorageFailure } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Unit } from "../../kernel/write.ts";
import type { GroupDeleted } from "../groups/index.ts";
import type { RunEnded, RunStore } from "../runs/index.ts";
import type { TaskDeleted, Tasks } from "../tasks/index.ts";
import type { Assignments } from "./assignments.ts";
import type { Deliveries } from "./deliveries.ts";
import type { DeliveryFact } from "./facts.ts";
import { type DeliveryHead, runCompletedPayload } from "./payload.ts";
import { isWanted } from "./policy.ts";
import type { ChannelStore } from "./store.ts";

export interface NotificationReactionDeps {
  readonly log: Log;
  readonly channels: Pick<ChannelStore, "find">;
  readonly assignments: Assignments;
  readonly deliveries: Deliveries;
  readonly runs: RunStore;
  readonly tasks: Tasks;
}

export function createNotificationReactions(deps: NotificationReactionDeps) {
  const { log, channels, assignments, deliveries, runs, tasks } = deps;
  return {
    /** In the transaction that ends the run: a run that has ended has its deliveries, whatever happens next. */
    onRunEnded: (unit: Unit<DeliveryFact>, fact: RunEnded): void => {
      const { outcome } = fact;
      // cancelled, replaced and skipped runs have none, and tell nobody
      if (outcome === null || !assignments.hasAny()) return;
      const run = runs.find(fact.runId);
      const task = tasks.find(fact.taskId);
      if (run === undefined || task === undefined) return;
      const policy = assignments.effectiveOf(task);
      if (policy === null) return;
      const ended = { run, outcome };
      const make = (head: DeliveryHead) => runCompletedPayload(head, ended);
      for (const wish of policy.assignments) {
        const channel = channels.find(wish.channelId);
        if (channel?.enabled !== true || !isWanted(wish, outcome)) continue;
        try {
          deliveries.queue(unit, channel, { make, taskId: run.taskId, runId: run.id });
        } catch (error) {
          if (isStorageFailure(error)) throw error;
          // a channel whose secrets cannot be opened must not keep the run from ending
          log.error("delivery.not_queued", { channel_id: channel.id, run_id: run.id, error: describeError(error) });
        }
      }
    },
    onTaskDeleted: (_unit: Unit, fact: TaskDeleted): void => assignments.onScopeDeleted(fact.taskId),
    onGroupDeleted: (_unit: Unit, fact: GroupDeleted): void => assignments.onScopeDeleted(fact.groupId),
    onDeliveryEnded: (unit: Unit<DeliveryFact>): void => deliveries.prune(unit),
  };
}
