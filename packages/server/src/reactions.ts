import type { Fact, Modules } from "./modules.ts";
import type { WalTruncation } from "./kernel/storage/wal-truncation.ts";
import type { AnyFact, Reactions } from "./kernel/storage/write.ts";

/** What every fact may ask for. */
export interface Everywhere {
  readonly publish: (fact: Fact) => void;
  readonly walTruncation: WalTruncation;
}

/**
 * Where modules meet: for a fact of one module, what the others do about it. In the transaction they write rows, in this
 * order, or refuse all of it. After the commit they are woken: a crash may lose that, so every loop also finds its work by
 * reading. A fact without an entry concerns its own module alone.
 */
export function listReactions(modules: Modules, { publish, walTruncation }: Everywhere): Reactions<Fact> {
  const { groups, tasks, runs, engine, schedules, triggers, triggerSets, chains, channels, deliveries } = modules;
  const assignments = modules.assignments.service;
  const { ticker } = schedules;
  const { deliverer } = deliveries;
  const { wake } = engine.engine;
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
        chains.onTaskDeleted,
        assignments.onTaskDeleted,
      ],
      "run.requested": [engine.engine.onRunRequested],
      "dispatch.requested": [engine.engine.onDispatchRequested],
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
      // a change of what is sealed leaves its former bytes in the write-ahead log
      if ((fact as AnyFact).erases === true) walTruncation.request();
    },
    afterCommit: {
      "group.updated": [wake, ticker.wake],
      "task.updated": [wake],
      "schedule.created": [ticker.wake],
      "schedule.updated": [ticker.wake],
      "schedule.planned": [ticker.wake],
      "run.requested": [wake, logStep],
      "run.dispatched": [engine.engine.onDispatched],
      "run.started": [logStep],
      "run.cancelling": [({ attemptId, graceMs }) => engine.engine.cancel(attemptId, graceMs)],
      "run.retrying": [wake, logStep],
      "run.ended": [wake, logStep],
      "run.deleted": [({ attemptIds }) => engine.engine.removeOutput(attemptIds)],
      "channel.deleted": [({ channelId }) => deliverer.forget(channelId)],
      "delivery.queued": [({ channelId }) => deliverer.look(channelId)],
    },
  };
}
