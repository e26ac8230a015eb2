import type { CatalogueEntry, CatalogueRoom } from "./entry.ts";

/** What is run, and when. */
export const tasks: readonly (CatalogueRoom | CatalogueEntry)[] = [
  {
    word: "task",
    summary: "what can be run",
    verbs: [
      { word: "list", summary: "list tasks", load: () => import("../commands/task/list.ts") },
      {
        word: "show",
        summary: "show a task with its schedules, chains and last runs",
        load: () => import("../commands/task/show.ts"),
      },
      { word: "add", summary: "add a task, with its schedules", load: () => import("../commands/task/add.ts") },
      { word: "edit", summary: "change a task", load: () => import("../commands/task/edit.ts") },
      {
        word: "delete",
        summary: "delete a task, its schedules and chains; its history stays",
        load: () => import("../commands/task/delete.ts"),
      },
      { word: "enable", summary: "let a task start again", load: () => import("../commands/task/enable.ts") },
      { word: "disable", summary: "keep a task from starting", load: () => import("../commands/task/disable.ts") },
      { word: "archive", summary: "put a task away", load: () => import("../commands/task/archive.ts") },
      { word: "restore", summary: "take an archived task back", load: () => import("../commands/task/restore.ts") },
      { word: "run", summary: "run a task now", load: () => import("../commands/task/run.ts") },
      { word: "env", summary: "reveal a task's own environment", load: () => import("../commands/task/env.ts") },
      { word: "stdin", summary: "reveal a task's standard input", load: () => import("../commands/task/stdin.ts") },
    ],
  },
  {
    word: "group",
    summary: "tasks that belong together",
    verbs: [
      { word: "list", summary: "list groups", load: () => import("../commands/group/list.ts") },
      { word: "show", summary: "show a group with its tasks", load: () => import("../commands/group/show.ts") },
      { word: "add", summary: "add a group", load: () => import("../commands/group/add.ts") },
      { word: "edit", summary: "change a group", load: () => import("../commands/group/edit.ts") },
      { word: "delete", summary: "delete an empty group", load: () => import("../commands/group/delete.ts") },
      { word: "enable", summary: "let its tasks start again", load: () => import("../commands/group/enable.ts") },
      {
        word: "disable",
        summary: "keep all its tasks from starting",
        load: () => import("../commands/group/disable.ts"),
      },
    ],
  },
  {
    word: "schedule",
    summary: "when tasks run",
    verbs: [
      { word: "list", summary: "list schedules", load: () => import("../commands/schedule/list.ts") },
      { word: "show", summary: "show a schedule", load: () => import("../commands/schedule/show.ts") },
      { word: "add", summary: "add a schedule to a task", load: () => import("../commands/schedule/add.ts") },
      { word: "edit", summary: "change a schedule", load: () => import("../commands/schedule/edit.ts") },
      { word: "delete", summary: "delete a schedule", load: () => import("../commands/schedule/delete.ts") },
      { word: "enable", summary: "let it fall due again", load: () => import("../commands/schedule/enable.ts") },
      { word: "disable", summary: "keep it from falling due", load: () => import("../commands/schedule/disable.ts") },
      {
        word: "pause",
        summary: "keep it from falling due for a while",
        load: () => import("../commands/schedule/pause.ts"),
      },
      { word: "resume", summary: "end a pause", load: () => import("../commands/schedule/resume.ts") },
      {
        word: "preview",
        summary: "show when it will run, before or after adding it",
        load: () => import("../commands/schedule/preview.ts"),
      },
    ],
  },
];
