import type { CommandEntry, CommandFamily } from "./entry.ts";

/** What starts a task besides a schedule: a trigger key, or another task that finishes. */
export const triggersAndChains: readonly (CommandFamily | CommandEntry)[] = [
  {
    name: "trigger",
    summary: "manage keys that let other programs run a task",
    subcommands: [
      {
        name: "list",
        summary: "list triggers",
        load: () => import("../commands/trigger/list.ts"),
      },
      {
        name: "show",
        summary: "show a trigger",
        load: () => import("../commands/trigger/show.ts"),
      },
      {
        name: "add",
        summary: "add a trigger and print its key",
        load: () => import("../commands/trigger/add.ts"),
      },
      {
        name: "edit",
        summary: "change the name or the task of a trigger",
        load: () => import("../commands/trigger/edit.ts"),
      },
      {
        name: "delete",
        summary: "delete a trigger; its key stops working",
        load: () => import("../commands/trigger/delete.ts"),
      },
      {
        name: "enable",
        summary: "enable a trigger",
        load: () => import("../commands/trigger/enable.ts"),
      },
      {
        name: "disable",
        summary: "disable a trigger",
        load: () => import("../commands/trigger/disable.ts"),
      },
      {
        name: "rotate",
        summary: "replace a trigger's key and print the new one",
        load: () => import("../commands/trigger/rotate.ts"),
      },
      {
        name: "reveal",
        summary: "print a trigger's key",
        load: () => import("../commands/trigger/reveal.ts"),
      },
      {
        name: "fire",
        summary: "run a task using its trigger key",
        load: () => import("../commands/trigger/fire.ts"),
      },
    ],
  },
  {
    name: "trigger-set",
    summary: "manage up to 99 triggers of one task together",
    subcommands: [
      {
        name: "list",
        summary: "list trigger sets",
        load: () => import("../commands/trigger-set/list.ts"),
      },
      {
        name: "show",
        summary: "show a trigger set and its members",
        load: () => import("../commands/trigger-set/show.ts"),
      },
      {
        name: "add",
        summary: "add a trigger set and print its keys",
        load: () => import("../commands/trigger-set/add.ts"),
      },
      {
        name: "edit",
        summary: "change the name or the task of a trigger set",
        load: () => import("../commands/trigger-set/edit.ts"),
      },
      {
        name: "delete",
        summary: "delete a trigger set and all its members",
        load: () => import("../commands/trigger-set/delete.ts"),
      },
      {
        name: "enable",
        summary: "enable every member of a trigger set",
        load: () => import("../commands/trigger-set/enable.ts"),
      },
      {
        name: "disable",
        summary: "disable every member of a trigger set",
        load: () => import("../commands/trigger-set/disable.ts"),
      },
      {
        name: "rotate",
        summary: "replace every key of a trigger set and print the new ones",
        load: () => import("../commands/trigger-set/rotate.ts"),
      },
      {
        name: "reveal",
        summary: "print every key of a trigger set",
        load: () => import("../commands/trigger-set/reveal.ts"),
      },
    ],
  },
  {
    name: "chain",
    summary: "run a task after another task finishes",
    subcommands: [
      {
        name: "list",
        summary: "list chains",
        load: () => import("../commands/chain/list.ts"),
      },
      {
        name: "show",
        summary: "show a chain",
        load: () => import("../commands/chain/show.ts"),
      },
      {
        name: "add",
        summary: "add a chain between two tasks",
        load: () => import("../commands/chain/add.ts"),
      },
      {
        name: "edit",
        summary: "change a chain",
        load: () => import("../commands/chain/edit.ts"),
      },
      {
        name: "delete",
        summary: "delete a chain",
        load: () => import("../commands/chain/delete.ts"),
      },
      {
        name: "enable",
        summary: "enable a chain",
        load: () => import("../commands/chain/enable.ts"),
      },
      {
        name: "disable",
        summary: "disable a chain",
        load: () => import("../commands/chain/disable.ts"),
      },
      {
        name: "graph",
        summary: "draw the chains as a tree",
        load: () => import("../commands/chain/graph.ts"),
      },
    ],
  },
];
