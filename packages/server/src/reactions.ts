import type { Hint } from "@belfry/contract";
import { type ChainFact, type Chains, type createChainReactions, viewChain } from "./features/chains/index.ts";
import type { Hub } from "./features/events/index.ts";
import { type GroupFact, type Groups, viewGroup } from "./features/groups/index.ts";
import type { ManifestFact, ManifestRoom } from "./features/manifest/index.ts";
import type { AssignmentFact, Assignments } from "./features/assignments/index.ts";
import { type ChannelFact, type Channels, viewChannel } from "./features/channels/index.ts";
import type { createDeliveryReactions, Deliverer, Deliveries, DeliveryFact } from "./features/deliveries/index.ts";
import {
  attemptNumber,
  type createRunReactions,
  type HistoryGrown,
  type QueueDepth,
  type Retention,
  type RunFact,
  type RunStore,
} from "./features/runs/index.ts";
import type { createScheduleReactions, ScheduleFact, Schedules, Ticker } from "./features/schedules/index.ts";
import type { TaskFact, Tasks } from "./features/tasks/index.ts";
import type { TriggerSetFact, TriggerSets } from "./features/trigger-sets/index.ts";
import type { TriggerFact, Triggers } from "./features/triggers/index.ts";
import type { Engine } from "./features/engine/index.ts";
import { sealedMembers } from "./kernel/storage/change.ts";
import type { Clock } from "./kernel/time/clock.ts";
import type { LogTruncation } from "./kernel/storage/wal-truncation.ts";
import type { AfterCommit, InTransaction } from "./kernel/storage/write.ts";

export type Fact =
  | GroupFact
  | TaskFact
  | ScheduleFact
  | RunFact
  | HistoryGrown
  | TriggerFact
  | TriggerSetFact
  | ChainFact
  | ChannelFact
  | AssignmentFact
  | DeliveryFact
  | ManifestFact;

export interface ReactionRooms {
  readonly runs: ReturnType<typeof createRunReactions>;
  readonly schedules: ReturnType<typeof createScheduleReactions>;
  readonly chains: ReturnType<typeof createChainReactions>;
  readonly retention: Retention;
  readonly triggers: Triggers;
  readonly triggerSets: TriggerSets;
  readonly channels: Channels;
  readonly assignments: Assignments;
  readonly deliveries: Deliveries;
  readonly deliveryReactions: ReturnType<typeof createDeliveryReactions>;
}

/** What happens within the transaction: rows are written, or all is refused. A fact without an entry does not compile. */
export function inTransaction(rooms: ReactionRooms): InTransaction<Fact> {
  return {
    "group.created": [],
    "group.updated": [rooms.schedules.onGroupUpdated],
    "group.deleted": [rooms.assignments.onGroupDeleted],
    "task.created": [],
    "task.updated": [rooms.schedules.onTaskUpdated],
    "task.deleted": [
      rooms.runs.onTaskDeleted,
      rooms.schedules.onTaskDeleted,
      rooms.triggers.onTaskDeleted,
      rooms.triggerSets.onTaskDeleted,
      rooms.chains.onTaskDeleted,
      rooms.assignments.onTaskDeleted,
    ],
    "schedule.created": [],
    "schedule.updated": [],
    "schedule.planned": [],
    "schedule.deleted": [],
    "run.requested": [],
    "run.dispatched": [],
    "run.started": [],
    "run.cancelling": [],
    "run.retrying": [],
    "run.ended": [rooms.chains.onRunEnded, rooms.deliveryReactions.onRunEnded, rooms.retention.onRunEnded],
    "run.coalesced": [],
    "run.deleted": [],
    "history.grown": [rooms.retention.onHistoryGrown],
    "trigger.created": [],
    "trigger.updated": [],
    "trigger.deleted": [rooms.triggerSets.onTriggerDeleted],
    "trigger_set.created": [],
    "trigger_set.updated": [],
    "trigger_set.deleted": [],
    "chain.created": [],
    "chain.updated": [],
    "chain.deleted": [],
    "channel.created": [],
    "channel.updated": [],
    "channel.deleted": [
      rooms.assignments.onChannelDeleted,
      rooms.deliveries.onChannelDeleted,
      rooms.channels.onChannelDeleted,
    ],
    "channel.health_turned": [],
    "assignments.replaced": [],
    "delivery.queued": [],
    "delivery.updated": [],
    "delivery.ended": [rooms.channels.onDeliveryEnded, rooms.deliveryReactions.onDeliveryEnded],
    "delivery.deleted": [],
    "manifest.updated": [],
  };
}

export interface TellRooms {
  readonly clock: Clock;
  readonly hub: Hub;
  readonly groups: Groups;
  readonly tasks: Tasks;
  readonly schedules: Schedules;
  readonly runs: RunStore;
  readonly triggers: Triggers;
  readonly chains: Chains;
  readonly manifest: ManifestRoom;
  readonly engine: Engine;
  readonly ticker: Ticker;
  readonly queueDepth: QueueDepth;
  readonly channels: Channels;
  readonly deliveries: Deliveries;
  readonly deliverer: Deliverer;
  readonly logTruncation: LogTruncation;
  readonly onRun: (fact: RunFact) => void;
}

/** Who is told once it is durable. Each is a hint or a wake-up, and may be lost: every loop also finds its work by reading. */
export function afterCommit(rooms: TellRooms): AfterCommit<Fact> {
  const { hub, engine, ticker } = rooms;
  const group = (verb: "created" | "updated" | "deleted") => (fact: { readonly groupId: string }) =>
    hub.publish("group", (): Hint | null => {
      const row = rooms.groups.find(fact.groupId);
      if (row === undefined) return ofGone({ kind: "group", verb, id: fact.groupId });
      return { kind: "group", verb, id: fact.groupId, group: viewGroup(row) };
    });
  const task = (verb: "created" | "updated" | "deleted") => (fact: { readonly taskId: string }) =>
    hub.publish("task", (): Hint | null => {
      const row = rooms.tasks.find(fact.taskId);
      if (row === undefined) return ofGone({ kind: "task", verb, id: fact.taskId });
      const { command: _command, working_directory: _directory, ...told } = rooms.tasks.view(row);
      return { kind: "task", verb, id: fact.taskId, task: told };
    });
  const schedule = (verb: "created" | "updated" | "deleted") => (fact: { readonly scheduleId: string }) =>
    hub.publish("schedule", (): Hint | null => {
      const row = rooms.schedules.find(fact.scheduleId);
      if (row === undefined) return ofGone({ kind: "schedule", verb, id: fact.scheduleId });
      return { kind: "schedule", verb, id: fact.scheduleId, schedule: rooms.schedules.view(row, rooms.clock.now()) };
    });
  const run = (verb: "queued" | "started" | "updated" | "ended" | "deleted") => (fact: RunFact) =>
    hub.publish("run", (): Hint => {
      const row = rooms.runs.find(fact.runId);
      const now = row === undefined ? {} : { state: row.state, outcome: row.outcome, attempt: attemptNumber(row) };
      return { kind: "run", verb, id: fact.runId, task_id: fact.taskId, ...now };
    });
  const trigger = (verb: "created" | "updated" | "deleted") => (fact: { readonly triggerId: string }) =>
    hub.publish("trigger", (): Hint | null => {
      const row = rooms.triggers.find(fact.triggerId);
      if (row === undefined) return ofGone({ kind: "trigger", verb, id: fact.triggerId });
      return { kind: "trigger", verb, id: fact.triggerId, trigger: rooms.triggers.view(row) };
    });
  const triggerSet = (verb: "created" | "updated" | "deleted") => (fact: TriggerSetFact) =>
    hub.publish("trigger_set", () => ({
      kind: "trigger_set",
      verb,
      id: fact.setId,
      name: fact.setName,
      member_count: fact.memberCount,
    }));
  const chain = (verb: "created" | "updated" | "deleted") => (fact: { readonly chainId: string }) =>
    hub.publish("chain", (): Hint | null => {
      const row = rooms.chains.find(fact.chainId);
      if (row === undefined) return ofGone({ kind: "chain", verb, id: fact.chainId });
      return { kind: "chain", verb, id: fact.chainId, chain: viewChain(row) };
    });
  const channel = (verb: "created" | "updated" | "deleted") => (fact: { readonly channelId: string }) =>
    hub.publish("notification_channel", (): Hint | null => {
      const row = rooms.channels.find(fact.channelId);
      if (row === undefined) return ofGone({ kind: "notification_channel", verb, id: fact.channelId });
      return { kind: "notification_channel", verb, id: fact.channelId, notification_channel: viewChannel(row) };
    });
  const delivery =
    (verb: "created" | "updated" | "deleted") => (fact: { readonly deliveryId: string; readonly channelId: string }) =>
      hub.publish("notification_delivery", () => {
        const row = rooms.deliveries.find(fact.deliveryId);
        const now = row === undefined ? {} : { state: row.state, attempt_count: row.attemptCount };
        return { kind: "notification_delivery", verb, id: fact.deliveryId, channel_id: fact.channelId, ...now };
      });
  const { onRun, deliverer } = rooms;
  const eraseLog = rooms.logTruncation.request;
  /** A change of what is sealed leaves its former bytes in the write-ahead log. */
  const eraseSecrets = (fact: { readonly changed: readonly string[] }): void => {
    if (fact.changed.some((member) => sealedMembers.has(member))) eraseLog();
  };
  const onDepth = rooms.queueDepth.onFact;
  return {
    "group.created": [group("created")],
    "group.updated": [group("updated"), engine.wake, ticker.wake, eraseSecrets],
    "group.deleted": [group("deleted"), eraseLog],
    "task.created": [task("created")],
    "task.updated": [task("updated"), engine.wake, eraseSecrets],
    "task.deleted": [task("deleted"), eraseLog],
    "schedule.created": [schedule("created"), ticker.wake],
    "schedule.updated": [schedule("updated"), ticker.wake],
    "schedule.planned": [schedule("updated"), ticker.wake],
    "schedule.deleted": [schedule("deleted")],
    "run.requested": [onDepth, run("queued"), engine.wake, onRun],
    "run.dispatched": [onDepth, run("updated")],
    "run.started": [run("started"), onRun],
    "run.cancelling": [run("updated"), (fact) => engine.cancel(fact.attemptId, fact.graceMs)],
    "run.retrying": [onDepth, run("updated"), engine.wake, onRun],
    "run.ended": [onDepth, run("ended"), engine.wake, onRun],
    "run.coalesced": [run("updated")],
    "run.deleted": [run("deleted"), (fact) => engine.removeOutput(fact.attemptIds)],
    "history.grown": [],
    "trigger.created": [trigger("created")],
    "trigger.updated": [trigger("updated"), eraseSecrets],
    "trigger.deleted": [trigger("deleted"), eraseLog],
    "trigger_set.created": [triggerSet("created")],
    "trigger_set.updated": [triggerSet("updated"), eraseSecrets],
    "trigger_set.deleted": [triggerSet("deleted"), eraseLog],
    "chain.created": [chain("created")],
    "chain.updated": [chain("updated")],
    "chain.deleted": [chain("deleted")],
    "channel.created": [channel("created")],
    "channel.updated": [channel("updated"), eraseSecrets],
    "channel.deleted": [channel("deleted"), (fact) => deliverer.forget(fact.channelId), eraseLog],
    "channel.health_turned": [channel("updated")],
    "assignments.replaced": [
      (fact) =>
        hub.publish("notification_assignment", () => ({
          kind: "notification_assignment",
          verb: "updated",
          id: fact.scopeId,
          scope: fact.scope,
        })),
    ],
    "delivery.queued": [delivery("created"), (fact) => deliverer.look(fact.channelId)],
    "delivery.updated": [delivery("updated")],
    "delivery.ended": [delivery("updated"), eraseLog],
    "delivery.deleted": [delivery("deleted")],
    "manifest.updated": [
      () =>
        hub.publish("manifest", () => ({
          kind: "manifest",
          verb: "updated",
          id: rooms.manifest.view().installation_id,
          manifest: rooms.manifest.view(),
        })),
    ],
  };
}

/** Where a commit that others shared took a resource along, its deletion is told, and no hint without what it is to carry. */
function ofGone<H extends { readonly verb: string }>(hint: H): H | null {
  return hint.verb === "deleted" ? hint : null;
}
