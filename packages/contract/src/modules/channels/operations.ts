import { z } from "zod";
import { listOf, namePart, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere, localOnly } from "../../core/operation.ts";
import { IdParams } from "../../core/references.ts";
import {
  NotificationChannel,
  NotificationChannelCreate,
  NotificationChannelPatch,
  NotificationChannelRotate,
} from "./schemas.ts";

const module = { resource: "notification_channel" } as const;
const read = { ...module, kind: "read", capability: "observe", audited: false, transports: everywhere } as const;
/** A channel decides where secrets are sent, so only a local manager may define one. */
const define = { ...module, kind: "write", capability: "manage", audited: true, transports: localOnly } as const;
const operate = { ...module, kind: "write", capability: "operate", audited: true, transports: everywhere } as const;
const answer = { kind: "json", status: 200, schema: NotificationChannel } as const;

export const channelOperations = [
  defineOperation({
    ...read,
    id: "notification_channels.list",
    method: "get",
    path: "/notification-channels",
    summary: "List channels, newest first; all of them unless `limit` is given",
    query: z.strictObject({
      ...pageQuery,
      q: namePart("channels"),
    }),
    response: {
      kind: "json",
      status: 200,
      schema: listOf("notification_channels", NotificationChannel).meta({ id: "NotificationChannelList" }),
    },
    errors: [],
  }),
  defineOperation({
    ...define,
    id: "notification_channels.create",
    method: "post",
    path: "/notification-channels",
    summary: "Create a channel",
    body: NotificationChannelCreate,
    response: { kind: "json", status: 201, schema: NotificationChannel },
    errors: [],
    replayedBy: "notification_channels.get",
    example: { name: "On call", endpoint: "https://hooks.example.com/services/42", authorization: "Bearer <token>" },
  }),
  defineOperation({
    ...read,
    id: "notification_channels.get",
    method: "get",
    path: "/notification-channels/{id}",
    summary: "Get a channel, without its secrets",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...define,
    id: "notification_channels.update",
    method: "patch",
    path: "/notification-channels/{id}",
    summary: "Change a channel",
    description:
      "A new endpoint with another origin (scheme, host and port) clears the authorization: set it again with `rotate`. The signing secret is kept. Deliveries that are already queued keep their endpoint and authorization.",
    params: IdParams,
    body: NotificationChannelPatch,
    response: answer,
    errors: ["not_found"],
    conditional: true,
    example: { name: "On call, day and night" },
  }),
  defineOperation({
    ...define,
    id: "notification_channels.delete",
    method: "delete",
    path: "/notification-channels/{id}",
    summary: "Delete a channel",
    description:
      "Also deletes its assignments, its unfinished deliveries and its stored secrets. Deliveries that succeeded or failed stay in the history.",
    params: IdParams,
    response: { kind: "empty", status: 204 },
    errors: ["not_found"],
    conditional: true,
  }),
  defineOperation({
    ...operate,
    id: "notification_channels.enable",
    method: "post",
    path: "/notification-channels/{id}/enable",
    summary: "Enable a channel",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
    conditional: true,
  }),
  defineOperation({
    ...operate,
    id: "notification_channels.disable",
    method: "post",
    path: "/notification-channels/{id}/disable",
    summary: "Disable a channel: no new deliveries are queued; queued ones are still sent",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
    conditional: true,
  }),
  defineOperation({
    ...define,
    id: "notification_channels.rotate",
    method: "post",
    path: "/notification-channels/{id}/rotate",
    summary: "Replace or clear a channel's authorization or signing secret",
    description:
      "For 24 hours after the signing secret is replaced, requests are signed with both the former and the new one. A second replacement within that time keeps both former secrets, each for the rest of its 24 hours; a third removes the oldest. `signing_secret: null` removes the current and all former secrets immediately.",
    params: IdParams,
    body: NotificationChannelRotate,
    response: answer,
    errors: ["not_found"],
    conditional: true,
    example: { authorization: null },
  }),
] as const;
