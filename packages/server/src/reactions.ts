import type { Fact, Modules } from "./modules.ts";
import type { OpenStreams } from "./transports/shared/open-streams.ts";
import type { WalTruncation } from "./kernel/storage/wal-truncation.ts";
import type { AnyFact, Reactions } from "./kernel/storage/write.ts";

/** The services that a reaction to any fact may need. */
export interface ReactionParts {
  readonly publish: (fact: Fact) => void;
  readonly walTruncation: WalTruncation;
  readonly streams: OpenStreams;
}

/**
 * Lists what modules do about the facts of others. In the transaction of a fact they write rows, in this order, or
 * reject the whole write by throwing. After the commit they wake loops. A crash may lose a wake-up, so every loop also
 * finds its work by reading. A fact without an entry concerns only its own module.
 */
export function listReactions(modules: Modules, { publish, walTruncation, streams }: ReactionParts): Reactions<Fact> {
  const {
    access,
    remote,
    groups,
    holds,
    tasks,
    runs,
    schedules,
    triggers,
    triggerSets,
    chains,
    watchers,
    channels,
    deliveries,
  } = modules;
  const engine = modules.engine.service;
  const assignments = modules.assignments.service;
  const { ticker } = schedules;
  const { deliverer } = deliveries;
  const { wake } = engine;
  const { logStep } = runs;
  return {
    inTransaction: {
      "group.updated": [schedules.onGroupUpdated],
      "group.deleting": [
        tasks.service.onGroupDeleting,
        assignments.onGroupDeleting,
        holds.service.onGroupDeleting,
        groups.service.onGroupDeleting,
      ],
      "hold.ending": [schedules.onHoldEnding, watchers.service.onHoldEnding, holds.service.onHoldEnding],
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
      "run.ended": [tasks.service.onRunEnded, chains.onRunEnded, deliveries.onRunEnded, runs.retention.onRunEnded],
      "run.deleted": [engine.onRunDeleted],
      "history.grown": [runs.retention.onHistoryGrown],
      "trigger.deleted": [triggerSets.service.onTriggerDeleted],
      "channel.deleting": [
        assignments.onChannelDeleting,
        deliveries.onChannelDeleting,
        channels.service.onChannelDeleting,
      ],
      "manifest.reset": [access.onManifestReset],
      "delivery.ended": [channels.service.onDeliveryEnded, deliveries.onDeliveryEnded],
    },
    afterEach: (fact) => {
      publish(fact);
      // the write-ahead log still has the bytes of an erased secret
      if ((fact as AnyFact).erases === true) walTruncation.request();
    },
    afterCommit: {
      "hold.created": [holds.releaseLoop.wake, watchers.onReadinessChanged],
      "hold.updated": [holds.releaseLoop.wake],
      "hold.released": [wake, watchers.onReadinessChanged, deliverer.onHoldReleased],
      "group.updated": [wake, ticker.wake, watchers.onReadinessChanged],
      "task.created": [tasks.overdueWatch.wake],
      "task.updated": [wake, watchers.onReadinessChanged, tasks.overdueWatch.wake],
      // the limit of a shared concurrency key may be higher without this task
      "task.deleted": [wake, watchers.onReadinessChanged],
      "watcher.created": [watchers.onCreated],
      "watcher.updated": [watchers.onUpdated],
      "watcher.deleted": [watchers.onDeleted],
      "schedule.created": [ticker.wake],
      "schedule.updated": [ticker.wake],
      "schedule.planned": [ticker.wake],
      "clock.set": [wake],
      "run.requested": [wake, logStep],
      "run.dispatched": [engine.onDispatched, watchers.onRunDispatched],
      "run.started": [logStep],
      "run.cancelling": [({ attemptId, graceMs }) => engine.cancel(attemptId, graceMs)],
      "run.retrying": [wake, logStep],
      "run.ended": [wake, logStep, watchers.onRunEnded],
      "run.deleted": [({ attemptIds }) => engine.removeOutput(attemptIds)],
      "channel.deleted": [({ channelId }) => deliverer.forget(channelId)],
      "actor.created": [access.expiry.wake],
      "actor.updated": [access.expiry.wake],
      "actor.restricted": [({ actorId }) => streams.closeOf(actorId)],
      "credential.revoked": [({ credentialId }) => streams.closeOfCredential(credentialId)],
      "manifest.reset": [remote.onManifestReset],
      "delivery.queued": [({ channelId }) => deliverer.look(channelId)],
    },
  };
}
