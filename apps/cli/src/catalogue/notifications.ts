import type { CatalogueEntry, CatalogueRoom } from "./entry.ts";

/** Who is told of it. */
export const notifications: readonly (CatalogueRoom | CatalogueEntry)[] = [
  {
    word: "channel",
    summary: "where to tell of runs that ended",
    verbs: [
      {
        word: "list",
        summary: "list channels",
        load: () => import("../commands/channel/list.ts"),
      },
      {
        word: "show",
        summary: "show a channel with its last deliveries",
        load: () => import("../commands/channel/show.ts"),
      },
      {
        word: "add",
        summary: "add a webhook",
        load: () => import("../commands/channel/add.ts"),
      },
      {
        word: "edit",
        summary: "change a channel's name or endpoint",
        load: () => import("../commands/channel/edit.ts"),
      },
      {
        word: "delete",
        summary: "delete a channel and what it has not delivered",
        load: () => import("../commands/channel/delete.ts"),
      },
      {
        word: "enable",
        summary: "let it get deliveries again",
        load: () => import("../commands/channel/enable.ts"),
      },
      {
        word: "disable",
        summary: "keep new deliveries from it",
        load: () => import("../commands/channel/disable.ts"),
      },
      {
        word: "rotate",
        summary: "replace or clear its secrets",
        load: () => import("../commands/channel/rotate.ts"),
      },
      {
        word: "test",
        summary: "send it a test",
        load: () => import("../commands/channel/test.ts"),
      },
    ],
  },
  {
    word: "notify",
    summary: "who is told of which outcomes",
    verbs: [
      {
        word: "show",
        summary: "show a task's or a group's own assignments",
        load: () => import("../commands/notify/show.ts"),
      },
      {
        word: "effective",
        summary: "show what holds for a task, and who says so",
        load: () => import("../commands/notify/effective.ts"),
      },
      {
        word: "set",
        summary: "replace a task's or a group's own assignments",
        load: () => import("../commands/notify/set.ts"),
      },
      {
        word: "clear",
        summary: "let a task or a group inherit again",
        load: () => import("../commands/notify/clear.ts"),
      },
    ],
  },
  {
    word: "delivery",
    summary: "what was sent, and what became of it",
    verbs: [
      {
        word: "list",
        summary: "list deliveries, newest first",
        load: () => import("../commands/delivery/list.ts"),
      },
      {
        word: "show",
        summary: "show a delivery and its body",
        load: () => import("../commands/delivery/show.ts"),
      },
      {
        word: "redeliver",
        summary: "send a delivery's event again, or those of all failed deliveries",
        load: () => import("../commands/delivery/redeliver.ts"),
      },
    ],
  },
  {
    word: "webhook",
    summary: "try receivers",
    verbs: [
      {
        word: "listen",
        summary: "print and check webhooks that arrive on this machine",
        load: () => import("../commands/webhook/listen.ts"),
      },
      {
        word: "send",
        summary: "send an example to a receiver",
        load: () => import("../commands/webhook/send.ts"),
      },
    ],
  },
];
