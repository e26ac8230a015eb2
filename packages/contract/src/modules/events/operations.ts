import { z } from "zod";
import { defineOperation } from "../../core/operation.ts";
import { Chain } from "../chains/schemas.ts";
import { Group } from "../groups/schemas.ts";
import { Manifest } from "../manifest/operations.ts";
import { notificationScopes } from "../assignments/schemas.ts";
import { NotificationChannel } from "../channels/schemas.ts";
import { deliveryStates } from "../deliveries/schemas.ts";
import { runOutcomes, runStates } from "../runs/schemas.ts";
import { Schedule } from "../schedules/schemas.ts";
import { Task } from "../tasks/schemas.ts";
import { Trigger } from "../triggers/schemas.ts";

export const eventKinds = [
  "task",
  "group",
  "schedule",
  "run",
  "trigger",
  "trigger_set",
  "chain",
  "notification_channel",
  "notification_assignment",
  "notification_delivery",
  "manifest",
] as const;
/** What the stream speaks of. A newer daemon may send others. */
export type EventKind = (typeof eventKinds)[number];

const changed = z.enum(["created", "updated", "deleted"]);
const id = z.string();

/** What a task runs and where is for those who may read the task: no event says it (contract: Limits, security boundary). */
const TaskInHint = Task.omit({ command: true, working_directory: true }).meta({ id: "TaskInHint" });

/** A hint that something changed: refresh it, never rely on having seen every hint. */
export const Hint = z
  .discriminatedUnion("kind", [
    z
      .object({ kind: z.literal("task"), verb: changed, id, task: TaskInHint.optional() })
      .meta({ id: "TaskHint", "x-event": "task" }),
    z
      .object({ kind: z.literal("group"), verb: changed, id, group: Group.optional() })
      .meta({ id: "GroupHint", "x-event": "group" }),
    z
      .object({ kind: z.literal("schedule"), verb: changed, id, schedule: Schedule.optional() })
      .meta({ id: "ScheduleHint", "x-event": "schedule" }),
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
      .meta({ id: "RunHint", "x-event": "run" }),
    z
      .object({ kind: z.literal("trigger"), verb: changed, id, trigger: Trigger.optional() })
      .meta({ id: "TriggerHint", "x-event": "trigger" }),
    z.object({ kind: z.literal("trigger_set"), verb: changed, id, name: z.string(), member_count: z.int() }).meta({
      id: "TriggerSetHint",
      "x-event": "trigger_set",
      description:
        "One for each change of the set. A deleted member is a change of its set too; any other change of one member is only that trigger's",
    }),
    z
      .object({ kind: z.literal("chain"), verb: changed, id, chain: Chain.optional() })
      .meta({ id: "ChainHint", "x-event": "chain", description: "`chain` is there unless it was deleted" }),
    z
      .object({
        kind: z.literal("notification_channel"),
        verb: changed,
        id,
        notification_channel: NotificationChannel.optional(),
      })
      .meta({ id: "NotificationChannelHint", "x-event": "notification_channel" }),
    z
      .object({
        kind: z.literal("notification_assignment"),
        verb: z.literal("updated"),
        id: id.meta({ description: "Of the task or group whose assignments changed" }),
        scope: z.enum(notificationScopes),
      })
      .meta({ id: "NotificationAssignmentHint", "x-event": "notification_assignment" }),
    z
      .object({
        kind: z.literal("notification_delivery"),
        verb: changed,
        id,
        channel_id: z.string(),
        state: z.enum(deliveryStates).optional(),
        attempt_count: z.int().optional(),
      })
      .meta({ id: "NotificationDeliveryHint", "x-event": "notification_delivery" }),
    z
      .object({ kind: z.literal("manifest"), verb: z.literal("updated"), id, manifest: Manifest })
      .meta({ id: "ManifestHint", "x-event": "manifest" }),
  ])
  .meta({ id: "Hint" });
export type Hint = z.output<typeof Hint>;

export const Hello = z
  .object({ epoch: z.string(), capabilities: z.array(z.string()) })
  .meta({ id: "Hello", "x-event": "hello", description: "The first of every stream" });
export type Hello = z.output<typeof Hello>;

export const Resync = z.object({ reason: z.string() }).meta({
  id: "Resync",
  "x-event": "resync",
  description: "This subscriber was too slow: refresh everything and connect again",
});

export const eventOperations = [
  defineOperation({
    id: "events.subscribe",
    method: "get",
    path: "/events",
    summary: "A stream of hints about changes",
    description:
      "Server-sent events: `id: <epoch>-<n>`, n rising by one per subscriber so that a gap shows; `event` is the kind; a comment each 15 s. There is no replay: refresh after connecting.",
    kind: "read",
    capability: "observe",
    remote: true,
    audited: false,
    resource: "event",
    query: z.strictObject({
      kinds: z
        .string()
        .max(1_000)
        .optional()
        .meta({ description: "Only these kinds, separated by commas", examples: ["run,task"] }),
    }),
    response: { kind: "events", schema: z.union([Hint, Hello, Resync]).meta({ id: "StreamEvent" }) },
    errors: [],
  }),
] as const;
