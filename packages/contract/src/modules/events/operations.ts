import { z } from "zod";
import { forEveryone } from "../../core/audience.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { Actor } from "../actors/schemas.ts";
import { Chain } from "../chains/schemas.ts";
import { Group } from "../groups/schemas.ts";
import { Hold } from "../holds/schemas.ts";
import { Manifest } from "../manifest/operations.ts";
import { notificationScopes } from "../assignments/schemas.ts";
import { NotificationChannel } from "../channels/schemas.ts";
import { deliveryStates } from "../deliveries/schemas.ts";
import { runOutcomes, runStates } from "../runs/schemas.ts";
import { Schedule } from "../schedules/schemas.ts";
import { Task } from "../tasks/schemas.ts";
import { Trigger } from "../triggers/schemas.ts";
import { WatcherHealth } from "../watchers/schemas.ts";

export const eventKinds = [
  "task",
  "group",
  "hold",
  "schedule",
  "run",
  "trigger",
  "trigger_set",
  "filesystem_watcher",
  "chain",
  "notification_channel",
  "notification_assignment",
  "notification_delivery",
  "manifest",
  "actor",
] as const;
/** The kinds of events. A newer daemon may send others. */
export type EventKind = (typeof eventKinds)[number];

const changed = z.enum(["created", "updated", "deleted"]);
const id = z.string();

/** All readers of events get the same ones, so no event has a member that some of them may not see. */
const TaskInEvent = forEveryone(Task).meta({ id: "TaskInEvent" });
const GroupInEvent = forEveryone(Group).meta({ id: "GroupInEvent" });

/** An event: one resource changed. Reload the resource; events can be missed. */
export const Hint = z
  .discriminatedUnion("kind", [
    z
      .object({ kind: z.literal("task"), verb: changed, id, task: TaskInEvent.optional() })
      .meta({ id: "TaskEvent", "x-event": "task" }),
    z
      .object({ kind: z.literal("group"), verb: changed, id, group: GroupInEvent.optional() })
      .meta({ id: "GroupEvent", "x-event": "group" }),
    z.object({ kind: z.literal("hold"), verb: changed, id, hold: Hold.optional() }).meta({
      id: "HoldEvent",
      "x-event": "hold",
      description:
        "`hold` is absent if the hold was released. The readiness of the tasks that it held changes without events of their own",
    }),
    z
      .object({ kind: z.literal("schedule"), verb: changed, id, schedule: Schedule.optional() })
      .meta({ id: "ScheduleEvent", "x-event": "schedule" }),
    z
      .object({
        kind: z.literal("run"),
        verb: z.enum(["queued", "started", "updated", "ended", "deleted"]),
        id,
        task_id: z.string(),
        state: z.enum(runStates).optional(),
        outcome: z.enum(runOutcomes).nullable().optional(),
        attempt: z.int().optional(),
      })
      .meta({ id: "RunEvent", "x-event": "run" }),
    z
      .object({ kind: z.literal("trigger"), verb: changed, id, trigger: Trigger.optional() })
      .meta({ id: "TriggerEvent", "x-event": "trigger" }),
    z.object({ kind: z.literal("trigger_set"), verb: changed, id, name: z.string(), member_count: z.int() }).meta({
      id: "TriggerSetEvent",
      "x-event": "trigger_set",
      description:
        "Sent for each change of the set, and for each deleted member. Any other change of a member sends only a `trigger` event",
    }),
    z
      .object({
        kind: z.literal("filesystem_watcher"),
        verb: changed,
        id,
        name: z.string(),
        health: WatcherHealth.optional(),
      })
      .meta({
        id: "FilesystemWatcherEvent",
        "x-event": "filesystem_watcher",
        description:
          "Sent for each change of the watcher or of its health. The event contains neither the watcher's path nor the names of files. `health` is absent if the watcher was deleted",
      }),
    z
      .object({ kind: z.literal("chain"), verb: changed, id, chain: Chain.optional() })
      .meta({ id: "ChainEvent", "x-event": "chain", description: "`chain` is absent if the chain was deleted" }),
    z
      .object({
        kind: z.literal("notification_channel"),
        verb: changed,
        id,
        notification_channel: NotificationChannel.optional(),
      })
      .meta({ id: "NotificationChannelEvent", "x-event": "notification_channel" }),
    z
      .object({
        kind: z.literal("notification_assignment"),
        verb: z.literal("updated"),
        id: id.meta({ description: "The id of the task or group whose assignments changed" }),
        scope: z.enum(notificationScopes),
      })
      .meta({ id: "NotificationAssignmentEvent", "x-event": "notification_assignment" }),
    z
      .object({
        kind: z.literal("notification_delivery"),
        verb: changed,
        id,
        channel_id: z.string(),
        state: z.enum(deliveryStates).optional(),
        attempt_count: z.int().optional(),
      })
      .meta({ id: "NotificationDeliveryEvent", "x-event": "notification_delivery" }),
    z
      .object({ kind: z.literal("manifest"), verb: z.literal("updated"), id, manifest: Manifest })
      .meta({ id: "ManifestEvent", "x-event": "manifest" }),
    z.object({ kind: z.literal("actor"), verb: z.enum(["created", "updated"]), id, actor: Actor }).meta({
      id: "ActorEvent",
      "x-event": "actor",
      description:
        "Sent to subscribers with `enroll` only: for each change of the actor and of its credentials, and when the actor expires",
    }),
  ])
  .meta({ id: "Hint" });
export type Hint = z.output<typeof Hint>;

export const Hello = z
  .object({
    epoch: z.string().meta({ description: "Changes each time the daemon starts" }),
    capabilities: z.array(z.string()),
  })
  .meta({ id: "Hello", "x-event": "hello", description: "The first event of every stream" });
export type Hello = z.output<typeof Hello>;

export const Resync = z.object({ reason: z.string() }).meta({
  id: "Resync",
  "x-event": "resync",
  description: "The subscriber was too slow and may have missed events: connect again and reload the current state",
});

export const eventOperations = [
  defineOperation({
    id: "events.subscribe",
    method: "get",
    path: "/events",
    summary: "Subscribe to change events",
    description:
      "Sends server-sent events, one for each committed change. `id` is `<epoch>-<n>`. `epoch` is a text that changes each time the daemon starts. `n` increases by one for each event of the stream, so a gap shows that events are missing. `event` is the kind of the changed resource, except for two events: the first event of the stream is `hello`, and if the subscriber was too slow, the stream ends with `resync`. After a `resync`, load the current state again. After 15 s without an event, a comment is sent. Events are not stored and cannot be replayed: load the current state after connecting.",
    kind: "read",
    capability: "observe",
    transports: everywhere,
    audited: false,
    resource: "event",
    query: z.strictObject({
      kinds: z
        .string()
        .max(1_000)
        .optional()
        .meta({
          description:
            "Only events of these kinds, separated by commas. `actor` events require `enroll`: other subscribers get none",
          examples: ["run,task"],
        }),
    }),
    response: { kind: "events", schema: z.union([Hint, Hello, Resync]).meta({ id: "StreamEvent" }) },
    errors: [],
  }),
] as const;
