import type {
  ChannelAssignment,
  EffectiveNotifications,
  NotificationAssignments,
} from "../modules/assignments/schemas.ts";
import type { NotificationChannel } from "../modules/channels/schemas.ts";
import type { NotificationDelivery, NotificationRedelivery } from "../modules/deliveries/schemas.ts";
import type { RunCompletedPayload, TestPayload } from "../modules/deliveries/payload.ts";
import { ids, made, names } from "./example-names.ts";

const channel: NotificationChannel = {
  id: ids.notification_channel,
  name: "On call",
  kind: "webhook",
  endpoint_summary: "https://hooks.example.com",
  has_authorization: true,
  has_signing_secret: false,
  enabled: true,
  failing_since: "2026-11-21T02:07:44.702Z",
  consecutive_failures: 1,
  ...made,
};

const onFailure = { channel_id: ids.notification_channel, on_success: false, on_failure: true };
const assignments: NotificationAssignments = { assignments: [onFailure], revision: 2 };
const effective: EffectiveNotifications = {
  source: { scope: "group", id: ids.group, name: names.group },
  assignments: [onFailure],
};
const ofChannel: ChannelAssignment = {
  scope: "task",
  id: ids.task,
  name: names.task,
  group_path: names.group,
  on_success: false,
  on_failure: true,
};

/** The payload of a run that ended. */
export const runCompletedPayload: RunCompletedPayload = {
  schema: "service.webhook.v1",
  event: "run.completed",
  delivery: { id: ids.notification_delivery, created_at: "2026-11-21T02:07:41.530Z" },
  daemon: { version: "1.4.0" },
  task: { id: ids.task, name: names.task, group_id: ids.group, group_name: names.group },
  run: {
    id: ids.run,
    outcome: "failure",
    trigger: "schedule",
    scheduled_for: "2026-11-21T02:00:00.000Z",
    started_at: "2026-11-21T02:00:00.021Z",
    ended_at: "2026-11-21T02:07:41.530Z",
    duration_ms: 461_509,
    exit_code: 1,
  },
};

/** The payload of a test event. */
export const testPayload: TestPayload = {
  schema: "service.webhook.v1",
  event: "test",
  delivery: { id: ids.notification_delivery, created_at: "2026-11-21T02:07:41.530Z" },
  daemon: { version: "1.4.0" },
};

const delivery: NotificationDelivery = {
  id: ids.notification_delivery,
  channel_id: channel.id,
  channel_name: channel.name,
  endpoint_summary: channel.endpoint_summary,
  event: "run.completed",
  task_id: ids.task,
  run_id: ids.run,
  state: "failed",
  attempt_count: 3,
  last_status: 503,
  diagnostic: "the receiver responded with status 503",
  created_at: "2026-11-21T02:07:41.530Z",
  updated_at: "2026-11-21T02:07:44.702Z",
  next_attempt_at: null,
  claimed_at: "2026-11-21T02:07:44.655Z",
  ended_at: "2026-11-21T02:07:44.702Z",
  redelivery_of: null,
  payload: runCompletedPayload,
};

const redelivery: NotificationRedelivery = {
  id: "rdl_Vc4Hn8TqLz0Rw6YkPx2M",
  since: "2026-11-21T02:00:00.000Z",
  channel_id: channel.id,
  deliveries: [{ id: "dlv_Kq7Tz2MwXn5Rb9VcHy0L", redelivery_of: delivery.id, channel_id: channel.id }],
  left_out: [{ channel_id: channel.id, channel_name: channel.name, reason: "already_redelivered", count: 2 }],
};

/** Example answers of channels, assignments and deliveries, by the name of their schema. */
export const notificationExamples: Readonly<Record<string, unknown>> = {
  NotificationChannel: channel,
  NotificationChannelList: { notification_channels: [channel], next_cursor: null },
  NotificationAssignments: assignments,
  EffectiveNotifications: effective,
  ChannelAssignmentList: { assignments: [ofChannel], next_cursor: null },
  NotificationDelivery: delivery,
  NotificationRedelivery: redelivery,
  NotificationDeliveryList: { notification_deliveries: [delivery], next_cursor: null },
};
