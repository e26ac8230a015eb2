import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { IdParams } from "../../core/references.ts";
import {
  ChannelAssignment,
  EffectiveNotifications,
  NotificationAssignments,
  NotificationAssignmentsReplace,
} from "./schemas.ts";

const module = { resource: "notification_assignment", transports: everywhere, params: IdParams } as const;
const read = { ...module, kind: "read", method: "get", capability: "observe", audited: false } as const;
const replace = {
  ...module,
  kind: "write",
  method: "put",
  capability: "manage",
  audited: true,
  conditional: true,
  description:
    "Replaces the whole list in one transaction. An empty list removes all assignments, and the task or group inherits again.",
  body: NotificationAssignmentsReplace,
  example: { assignments: [{ channel_id: "nch_9sQf2LwYb7Rk4TzXc0Nd", on_success: false, on_failure: true }] },
} as const;
const answer = { kind: "json", status: 200, schema: NotificationAssignments } as const;

export const assignmentOperations = [
  defineOperation({
    ...read,
    id: "notification_assignments.of_task",
    path: "/tasks/{id}/notifications",
    summary: "Get a task's own assignments",
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...replace,
    id: "notification_assignments.replace_of_task",
    path: "/tasks/{id}/notifications",
    summary: "Replace a task's own assignments",
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...read,
    id: "notification_assignments.effective",
    path: "/tasks/{id}/notifications/effective",
    summary: "Get the assignments that apply to a task, and the task or group that they come from",
    description:
      "The task's own assignments or, if it has none, those of the nearest group that has any. All of them come from one task or group.",
    response: { kind: "json", status: 200, schema: EffectiveNotifications },
    errors: ["not_found"],
  }),
  defineOperation({
    ...read,
    id: "notification_assignments.of_group",
    path: "/groups/{id}/notifications",
    summary: "Get a group's own assignments",
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...replace,
    id: "notification_assignments.replace_of_group",
    path: "/groups/{id}/notifications",
    summary: "Replace a group's own assignments",
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...read,
    id: "notification_assignments.of_channel",
    path: "/notification-channels/{id}/assignments",
    summary: "List the tasks and groups that notify a channel",
    description:
      "Lists each task and group with an own assignment to the channel, in the order of their ids. Tasks that inherit it from a group are not listed.",
    query: z.strictObject(pageQuery),
    response: {
      kind: "json",
      status: 200,
      schema: listOf("assignments", ChannelAssignment).meta({ id: "ChannelAssignmentList" }),
    },
    errors: ["not_found"],
  }),
] as const;
