import type {
  Actor,
  Chain,
  EventKind,
  FilesystemWatcher,
  Group,
  Hint,
  Hold,
  NotificationChannel,
  NotificationDelivery,
  OperationId,
  Run,
  Schedule,
  Task,
  Trigger,
  TriggerSet,
} from "@belfry/contract";
import type { QueryOf } from "../caller.ts";

/** The lists that can be watched, with the types of their items and the operations that read them. */
interface Watchables {
  readonly tasks: { readonly item: Task; readonly list: "tasks.list" };
  readonly groups: { readonly item: Group; readonly list: "groups.list" };
  readonly holds: { readonly item: Hold; readonly list: "holds.list" };
  readonly schedules: { readonly item: Schedule; readonly list: "schedules.list" };
  readonly runs: { readonly item: Run; readonly list: "runs.list" };
  readonly triggers: { readonly item: Trigger; readonly list: "triggers.list" };
  readonly triggerSets: { readonly item: TriggerSet; readonly list: "trigger_sets.list" };
  readonly watchers: { readonly item: FilesystemWatcher; readonly list: "watchers.list" };
  readonly chains: { readonly item: Chain; readonly list: "chains.list" };
  readonly channels: { readonly item: NotificationChannel; readonly list: "notification_channels.list" };
  readonly deliveries: { readonly item: NotificationDelivery; readonly list: "notification_deliveries.list" };
  readonly actors: { readonly item: Actor; readonly list: "actors.list" };
}

/** The name of a list that can be watched. */
export type Watchable = keyof Watchables;
/** The type of the items of a watched list. */
export type WatchItem<W extends Watchable> = Watchables[W]["item"];
/** The operation that reads a watched list. */
export type ListOf<W extends Watchable> = Watchables[W]["list"];
/** The filters of a watched list. */
export type WatchQuery<W extends Watchable> = Omit<QueryOf<ListOf<W>>, "cursor" | "limit"> & {
  /** How many of the newest items to keep. Default: 100 runs or deliveries, and 10,000 of anything else. */
  readonly limit?: number | undefined;
};

type HintOf<K extends EventKind> = Extract<Hint, { readonly kind: K }>;

/** How to read one kind of list, and which events change it. */
export interface Definition<W extends Watchable> {
  readonly list: ListOf<W>;
  /** Reads one item; null if no operation does. */
  readonly get: Extract<OperationId, `${string}.get`> | null;
  /** Returns the item as the list has it, if a single read shows more. */
  readonly inList?: (item: WatchItem<W>) => WatchItem<W>;
  /** The kind of the events of its items. */
  readonly kind: EventKind;
  /** When an item was created. Lists are in this order, and items of the same time in the order of their ids. */
  readonly orderOf: (item: WatchItem<W>) => string;
  readonly limit: number;
  /** The filters that compare a member of the item, which has the same name. Only the daemon can apply the others. */
  readonly members: readonly (keyof WatchItem<W> & keyof WatchQuery<W>)[];
  /** The parts of the query that say what each item shows. A single read does not know them. */
  readonly shapes?: readonly string[];
  /** The filters whose member never changes, and is in each event. */
  readonly constant?: readonly string[];
  /** Events of other kinds that change items: whether they change this one. Such an event may also change which items a filter of `others` lets pass. */
  readonly touches?: { readonly [K in EventKind]?: (item: WatchItem<W>, hint: HintOf<K>) => boolean };
  /** Whether an event of another kind may add items, which have no events of their own then. */
  readonly adds?: { readonly [K in EventKind]?: (hint: HintOf<K>) => boolean };
  /** The other kinds of events that may change the result of a filter. */
  readonly others?: Readonly<Record<string, readonly EventKind[]>>;
}

type Definitions = { readonly [W in Watchable]: Definition<W> };

const createdAt = ({ created_at }: { readonly created_at: string }) => created_at;
const always = () => true;
const newestOnly = 100;
const nearlyAll = 10_000;

/** Triggers, trigger sets and watchers show the name of their task, and whether it can start. */
interface Targeting {
  readonly target_task_id: string;
}
const targeting = {
  task: ({ target_task_id }: Targeting, { id }: HintOf<"task">) => target_task_id === id,
  // a group or a hold makes tasks start no more, without events of the tasks
  group: (_: Targeting, { verb }: HintOf<"group">) => verb !== "created",
  hold: always,
};
/** A fire has no event of its own: only the run has one. */
const firing = {
  ...targeting,
  run: ({ target_task_id }: Targeting, { verb, task_id }: HintOf<"run">) =>
    verb === "queued" && target_task_id === task_id,
};

/** The filters and members follow the contract. A test compares each live list with the daemon's own. */
export const definitions: Definitions = {
  tasks: {
    list: "tasks.list",
    get: "tasks.get",
    kind: "task",
    orderOf: createdAt,
    limit: nearlyAll,
    members: ["group_id", "enabled", "overdue"],
    shapes: ["recent"],
    touches: {
      run: ({ id }, { task_id }) => id === task_id,
      // the event of a deleted schedule does not name its task
      schedule: ({ id }, { schedule }) => schedule === undefined || schedule.task_id === id,
      group: (_, { verb }) => verb !== "created",
      hold: always,
    },
  },
  groups: {
    list: "groups.list",
    get: "groups.get",
    kind: "group",
    orderOf: createdAt,
    limit: nearlyAll,
    members: ["parent_id", "enabled"],
  },
  holds: {
    list: "holds.list",
    get: null,
    kind: "hold",
    orderOf: createdAt,
    limit: nearlyAll,
    members: [],
    touches: { group: ({ group_id }, { id }) => group_id === id },
  },
  schedules: {
    list: "schedules.list",
    get: "schedules.get",
    kind: "schedule",
    orderOf: createdAt,
    limit: nearlyAll,
    members: ["task_id", "enabled"],
    touches: {
      task: ({ task_id }, { id }) => task_id === id,
      // a schedule may have the time zone of a group
      group: (_, { verb }) => verb !== "created",
    },
    others: { group_id: ["task"], label: ["task"] },
  },
  runs: {
    list: "runs.list",
    get: "runs.get",
    // changes without events
    inList: ({ waiting: _, ...run }) => run,
    kind: "run",
    orderOf: ({ queued_at }) => queued_at,
    limit: newestOnly,
    members: ["task_id", "group_id", "state", "outcome", "trigger"],
    constant: ["task_id"],
  },
  triggers: {
    list: "triggers.list",
    get: "triggers.get",
    kind: "trigger",
    orderOf: createdAt,
    limit: nearlyAll,
    members: ["target_task_id", "enabled"],
    touches: { ...firing, trigger_set: ({ set_id }, { id }) => set_id === id },
    // a set is created, enabled and disabled with one event, and none of its members
    adds: { trigger_set: ({ verb }) => verb !== "deleted" },
  },
  triggerSets: {
    list: "trigger_sets.list",
    get: "trigger_sets.get",
    kind: "trigger_set",
    orderOf: createdAt,
    limit: nearlyAll,
    members: ["target_task_id"],
    touches: {
      ...firing,
      trigger: ({ id, members }, hint) =>
        hint.trigger?.set_id === id || members.some((member) => member.id === hint.id),
    },
  },
  watchers: {
    list: "watchers.list",
    get: "watchers.get",
    kind: "filesystem_watcher",
    orderOf: createdAt,
    limit: nearlyAll,
    members: ["target_task_id", "enabled"],
    touches: targeting,
  },
  chains: {
    list: "chains.list",
    get: "chains.get",
    kind: "chain",
    orderOf: createdAt,
    limit: nearlyAll,
    members: ["source_task_id", "target_task_id"],
    touches: { task: (chain, { id }) => chain.source_task_id === id || chain.target_task_id === id },
  },
  channels: {
    list: "notification_channels.list",
    get: "notification_channels.get",
    kind: "notification_channel",
    orderOf: createdAt,
    limit: nearlyAll,
    members: [],
    // a result changes the count of failures, mostly without an event of the channel
    touches: {
      notification_delivery: ({ id }, { channel_id, state }) =>
        id === channel_id && (state === "succeeded" || state === "failed"),
    },
  },
  deliveries: {
    list: "notification_deliveries.list",
    get: "notification_deliveries.get",
    kind: "notification_delivery",
    orderOf: createdAt,
    limit: newestOnly,
    members: ["channel_id", "task_id", "run_id", "state"],
    constant: ["channel_id"],
  },
  actors: {
    list: "actors.list",
    get: "actors.get",
    kind: "actor",
    orderOf: createdAt,
    limit: nearlyAll,
    members: ["state"],
  },
};

/**
 * Returns the kinds of events after which items of the list may have changed. It is for a cache that reads lists again by
 * itself; `client.watch` does so without it.
 *
 * ```ts
 * eventKindsOf("chains"); // ["chain", "task"]: a chain shows the names of its tasks
 * ```
 */
export function eventKindsOf(list: Watchable): readonly EventKind[] {
  const { kind, touches, adds } = definitions[list];
  return [kind, ...(Object.keys({ ...touches, ...adds }) as EventKind[])];
}
