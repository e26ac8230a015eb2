import type { CommandEntry, CommandFamily } from "./entry.ts";

/** Channels, the tasks and groups they are assigned to, and deliveries. */
export const notifications: readonly (CommandFamily | CommandEntry)[] = [
  {
    name: "channel",
    summary: "manage webhook endpoints for notifications",
    subcommands: [
      {
        name: "list",
        summary: "list channels",
        load: () => import("../commands/channel/list.ts"),
      },
      {
        name: "show",
        summary: "show a channel and its latest deliveries",
        load: () => import("../commands/channel/show.ts"),
      },
      {
        name: "add",
        summary: "add a webhook channel",
        load: () => import("../commands/channel/add.ts"),
      },
      {
        name: "edit",
        summary: "change a channel's name or endpoint",
        load: () => import("../commands/channel/edit.ts"),
      },
      {
        name: "delete",
        summary: "delete a channel and its pending deliveries",
        load: () => import("../commands/channel/delete.ts"),
      },
      {
        name: "enable",
        summary: "enable a channel",
        load: () => import("../commands/channel/enable.ts"),
      },
      {
        name: "disable",
        summary: "disable a channel: no new deliveries are queued",
        load: () => import("../commands/channel/disable.ts"),
      },
      {
        name: "rotate",
        summary: "replace or clear a channel's secrets",
        load: () => import("../commands/channel/rotate.ts"),
      },
      {
        name: "test",
        summary: "send a test notification to a channel",
        load: () => import("../commands/channel/test.ts"),
      },
    ],
  },
  {
    name: "notify",
    summary: "choose which channels are notified for a task or group",
    subcommands: [
      {
        name: "show",
        summary: "show the channels assigned to a task or group",
        load: () => import("../commands/notify/show.ts"),
      },
      {
        name: "effective",
        summary: "show the notifications that apply to a task, and where they are inherited from",
        load: () => import("../commands/notify/effective.ts"),
      },
      {
        name: "set",
        summary: "replace the channels assigned to a task or group",
        load: () => import("../commands/notify/set.ts"),
      },
      {
        name: "clear",
        summary: "remove the channels assigned to a task or group, so that it inherits again",
        load: () => import("../commands/notify/clear.ts"),
      },
    ],
  },
  {
    name: "delivery",
    summary: "list, inspect and resend webhook deliveries",
    subcommands: [
      {
        name: "list",
        summary: "list deliveries, newest first",
        load: () => import("../commands/delivery/list.ts"),
      },
      {
        name: "show",
        summary: "show a delivery and its payload",
        load: () => import("../commands/delivery/show.ts"),
      },
      {
        name: "redeliver",
        summary: "resend one delivery, or all failed deliveries since a given time",
        load: () => import("../commands/delivery/redeliver.ts"),
      },
    ],
  },
  {
    name: "webhook",
    summary: "test webhooks locally (send a sample, or listen)",
    subcommands: [
      {
        name: "listen",
        summary: "receive, check and print webhooks on this machine",
        load: () => import("../commands/webhook/listen.ts"),
      },
      {
        name: "send",
        summary: "send a sample webhook to a URL",
        load: () => import("../commands/webhook/send.ts"),
      },
    ],
  },
];
