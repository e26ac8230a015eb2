import type { Fact, Modules } from "./modules.ts";
import type { WalTruncation } from "./kernel/storage/wal-truncation.ts";
import type { AnyFact, Reactions } from "./kernel/storage/write.ts";

/** What any fact may ask for. */
export interface ReactionParts {
  readonly publish: (fact: Fact) => void;
  readonly walTruncation: WalTruncation;
}

/**
 * Where modules meet: what the others do about a fact of one module. In its transaction they write rows, in this order, or
 * refuse the whole write by throwing. After the commit they wake up. A crash may lose a wake-up, so every loop also finds its
 * work by reading. A fact without an entry concerns its own module alone.
 */
export function listReactions(modules: Modules, { publish, walTruncation }: ReactionParts): Reactions<Fact> {
  const { groups, tasks, runs, schedules, triggers, triggerSets, chains, watchers, channels, deliveries } = modules;
  const engine = modules.engine.service;
  const assignments = modules.assignments.service;
  const { ticker } = schedules;
  const { deliverer } = deliveries;
  const { wake } = engine;
  const { logStep } = runs;
  return {
    inTransaction: {
      "group.updated": [schedules.onGroupUpdated],
      "group.deleting": [tasks.service.onGroupDeleting, assignments.onGroupDeleting, groups.service.onGroupDeleting],
      "task.updated": [schedules.onTaskUpdated],
      "task.deleted": [
        runs.onTaskDeleted,
        schedules.onTaskDeleted,
        triggers.service.onTaskDeleted,
        triggerSets.service.onTaskDeleted,
        watchers.onTaskDeleted,
        chains.onTaskDeleted,
        assignments.onTaskDeleted,
      ],
      "run.requested": [engine.onRunRequested],
      "dispatch.requested": [engine.onDispatchRequested],
      "run.ended": [chains.onRunEnded, deliveries.onRunEnded, runs.retention.onRunEnded],
      "history.grown": [runs.retention.onHistoryGrown],
      "trigger.deleted": [triggerSets.service.onTriggerDeleted],
      "channel.deleting": [
        assignments.onChannelDeleting,
        deliveries.onChannelDeleting,
        channels.service.onChannelDeleting,
      ],
      "delivery.ended": [channels.service.onDeliveryEnded, deliveries.onDeliveryEnded],
    },
    afterEach: (fact) => {
      publish(fact);
      // the write-ahead log still has the bytes of an erased secret
      if ((fact as AnyFact).erases === true) walTruncation.request();
    },
    afterCommit: {
      "group.updated": [wake, ticker.wake, watchers.onReadinessChanged],
      "task.updated": [wake, watchers.onReadinessChanged],
      "watcher.created": [watchers.onCreated],
      "watcher.updated": [watchers.onUpdated],
      "watcher.deleted": [watchers.onDeleted],
      "schedule.created": [ticker.wake],
      "schedule.updated": [ticker.wake],
      "schedule.planned": [ticker.wake],
      "run.requested": [wake, logStep],
      "run.dispatched": [engine.onDispatched],
      "run.started": [logStep],
      "run.cancelling": [({ attemptId, graceMs }) => engine.cancel(attemptId, graceMs)],
      "run.retrying": [wake, logStep],
      "run.ended": [wake, logStep, watchers.onRunEnded],
      "run.deleted": [({ attemptIds }) => engine.removeOutput(attemptIds)],
      "channel.deleted": [({ channelId }) => deliverer.forget(channelId)],
      "delivery.queued": [({ channelId }) => deliverer.look(channelId)],
    },
  };
}
