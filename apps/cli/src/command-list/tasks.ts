import type { CommandEntry, CommandFamily } from "./entry.ts";

/** Tasks, their groups, their schedules, and holds on them. */
export const tasks: readonly (CommandFamily | CommandEntry)[] = [
  {
    name: "task",
    summary: "create, edit, run and list tasks",
    subcommands: [
      {
        name: "list",
        summary: "list tasks",
        load: () => import("../commands/task/list.ts"),
      },
      {
        name: "show",
        summary: "show a task with its schedules, chains, watchers and latest runs",
        load: () => import("../commands/task/show.ts"),
      },
      {
        name: "add",
        summary: "add a task, optionally with a schedule",
        load: () => import("../commands/task/add.ts"),
      },
      {
        name: "edit",
        summary: "change a task",
        load: () => import("../commands/task/edit.ts"),
      },
      {
        name: "delete",
        summary: "delete a task with its schedules and chains; its history is kept",
        load: () => import("../commands/task/delete.ts"),
      },
      {
        name: "enable",
        summary: "enable a task",
        load: () => import("../commands/task/enable.ts"),
      },
      {
        name: "disable",
        summary: "disable a task: no new runs start",
        load: () => import("../commands/task/disable.ts"),
      },
      {
        name: "archive",
        summary: "archive a task",
        load: () => import("../commands/task/archive.ts"),
      },
      {
        name: "restore",
        summary: "restore an archived task",
        load: () => import("../commands/task/restore.ts"),
      },
      {
        name: "run",
        summary: "run a task now",
        load: () => import("../commands/task/run.ts"),
      },
      {
        name: "env",
        summary: "print the values of a task's own environment variables",
        load: () => import("../commands/task/env.ts"),
      },
      {
        name: "stdin",
        summary: "print a task's standard input",
        load: () => import("../commands/task/stdin.ts"),
      },
    ],
  },
  {
    name: "group",
    summary: "organize tasks and give them shared settings",
    subcommands: [
      {
        name: "list",
        summary: "list groups",
        load: () => import("../commands/group/list.ts"),
      },
      {
        name: "show",
        summary: "show a group with its subgroups and tasks",
        load: () => import("../commands/group/show.ts"),
      },
      {
        name: "add",
        summary: "add a group",
        load: () => import("../commands/group/add.ts"),
      },
      {
        name: "edit",
        summary: "change a group",
        load: () => import("../commands/group/edit.ts"),
      },
      {
        name: "delete",
        summary: "delete an empty group",
        load: () => import("../commands/group/delete.ts"),
      },
      {
        name: "enable",
        summary: "enable a group",
        load: () => import("../commands/group/enable.ts"),
      },
      {
        name: "disable",
        summary: "disable a group: no task in it starts",
        load: () => import("../commands/group/disable.ts"),
      },
    ],
  },
  {
    name: "schedule",
    summary: "choose when tasks run",
    subcommands: [
      {
        name: "list",
        summary: "list schedules",
        load: () => import("../commands/schedule/list.ts"),
      },
      {
        name: "show",
        summary: "show a schedule",
        load: () => import("../commands/schedule/show.ts"),
      },
      {
        name: "add",
        summary: "add a schedule to a task",
        load: () => import("../commands/schedule/add.ts"),
      },
      {
        name: "edit",
        summary: "change a schedule",
        load: () => import("../commands/schedule/edit.ts"),
      },
      {
        name: "delete",
        summary: "delete a schedule",
        load: () => import("../commands/schedule/delete.ts"),
      },
      {
        name: "enable",
        summary: "enable a schedule",
        load: () => import("../commands/schedule/enable.ts"),
      },
      {
        name: "disable",
        summary: "disable a schedule",
        load: () => import("../commands/schedule/disable.ts"),
      },
      {
        name: "pause",
        summary: "pause a schedule, optionally until a given time",
        load: () => import("../commands/schedule/pause.ts"),
      },
      {
        name: "resume",
        summary: "resume a paused schedule",
        load: () => import("../commands/schedule/resume.ts"),
      },
      {
        name: "preview",
        summary: "list the next scheduled times of a new or existing schedule",
        load: () => import("../commands/schedule/preview.ts"),
      },
    ],
  },
  { name: "hold", summary: "start no tasks for a while", load: () => import("../commands/hold/place.ts") },
  { name: "release", summary: "let held tasks start again", load: () => import("../commands/hold/release.ts") },
  { name: "holds", summary: "list what is held", load: () => import("../commands/hold/list.ts") },
];
