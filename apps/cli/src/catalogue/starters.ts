import type { CatalogueEntry, CatalogueRoom } from "./entry.ts";

/** What else starts a task: a key, or the end of another. */
export const starters: readonly (CatalogueRoom | CatalogueEntry)[] = [
  {
    word: "trigger",
    summary: "keys that let others run a task",
    verbs: [
      {
        word: "list",
        summary: "list triggers",
        load: () => import("../commands/trigger/list.ts"),
      },
      {
        word: "show",
        summary: "show a trigger",
        load: () => import("../commands/trigger/show.ts"),
      },
      {
        word: "add",
        summary: "add a trigger; prints its key",
        load: () => import("../commands/trigger/add.ts"),
      },
      {
        word: "edit",
        summary: "rename a trigger, or give it another task",
        load: () => import("../commands/trigger/edit.ts"),
      },
      {
        word: "delete",
        summary: "delete a trigger; its key is worthless from then on",
        load: () => import("../commands/trigger/delete.ts"),
      },
      {
        word: "enable",
        summary: "let a trigger be fired again",
        load: () => import("../commands/trigger/enable.ts"),
      },
      {
        word: "disable",
        summary: "refuse to be fired",
        load: () => import("../commands/trigger/disable.ts"),
      },
      {
        word: "rotate",
        summary: "replace the key, and print the new one",
        load: () => import("../commands/trigger/rotate.ts"),
      },
      {
        word: "reveal",
        summary: "print the key",
        load: () => import("../commands/trigger/reveal.ts"),
      },
      {
        word: "fire",
        summary: "run the task of a key",
        load: () => import("../commands/trigger/fire.ts"),
      },
    ],
  },
  {
    word: "trigger-set",
    summary: "up to 99 triggers of one task, handled together",
    verbs: [
      {
        word: "list",
        summary: "list Trigger Sets",
        load: () => import("../commands/trigger-set/list.ts"),
      },
      {
        word: "show",
        summary: "show a set with its members",
        load: () => import("../commands/trigger-set/show.ts"),
      },
      {
        word: "add",
        summary: "add a set; prints its keys",
        load: () => import("../commands/trigger-set/add.ts"),
      },
      {
        word: "edit",
        summary: "give every member another task, or rename the set",
        load: () => import("../commands/trigger-set/edit.ts"),
      },
      {
        word: "delete",
        summary: "delete a set and all its members",
        load: () => import("../commands/trigger-set/delete.ts"),
      },
      {
        word: "enable",
        summary: "let every member be fired again",
        load: () => import("../commands/trigger-set/enable.ts"),
      },
      {
        word: "disable",
        summary: "refuse every member's fires",
        load: () => import("../commands/trigger-set/disable.ts"),
      },
      {
        word: "rotate",
        summary: "replace every key, and print the new ones",
        load: () => import("../commands/trigger-set/rotate.ts"),
      },
      {
        word: "reveal",
        summary: "print every key",
        load: () => import("../commands/trigger-set/reveal.ts"),
      },
    ],
  },
  {
    word: "chain",
    summary: "which task follows which",
    verbs: [
      { word: "list", summary: "list chains", load: () => import("../commands/chain/list.ts") },
      { word: "show", summary: "show a chain", load: () => import("../commands/chain/show.ts") },
      { word: "add", summary: "start a task when another has ended", load: () => import("../commands/chain/add.ts") },
      { word: "edit", summary: "change a chain", load: () => import("../commands/chain/edit.ts") },
      { word: "delete", summary: "delete a chain", load: () => import("../commands/chain/delete.ts") },
      { word: "enable", summary: "let it start its target again", load: () => import("../commands/chain/enable.ts") },
      {
        word: "disable",
        summary: "keep it from starting its target",
        load: () => import("../commands/chain/disable.ts"),
      },
      { word: "graph", summary: "draw what follows what", load: () => import("../commands/chain/graph.ts") },
    ],
  },
];
