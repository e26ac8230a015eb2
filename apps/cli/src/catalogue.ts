import type { LoadedCommand } from "./command.ts";

/** One command: its word, its line of help, and the file to load when it is called. */
export interface CatalogueEntry {
  readonly word: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: LoadedCommand }>;
}

export interface CatalogueRoom {
  readonly word: string;
  readonly summary: string;
  readonly verbs: readonly CatalogueEntry[];
}

/** Every command in the order of the help. Only words: `belfry --help` loads no command. */
export const catalogue: readonly (CatalogueRoom | CatalogueEntry)[] = [
  {
    word: "daemon",
    summary: "run, look at and stop the daemon",
    verbs: [
      {
        word: "run",
        summary: "run the daemon here, until it is stopped",
        load: () => import("./commands/daemon/run.ts"),
      },
      { word: "status", summary: "whether it runs, and where", load: () => import("./commands/daemon/status.ts") },
      {
        word: "stop",
        summary: "stop it; running tasks go on unless told otherwise",
        load: () => import("./commands/daemon/stop.ts"),
      },
    ],
  },
  {
    word: "task",
    summary: "what can be run",
    verbs: [
      { word: "list", summary: "list tasks", load: () => import("./commands/task/list.ts") },
      {
        word: "show",
        summary: "show a task with its schedules, chains and last runs",
        load: () => import("./commands/task/show.ts"),
      },
      { word: "add", summary: "add a task, with its schedules", load: () => import("./commands/task/add.ts") },
      { word: "edit", summary: "change a task", load: () => import("./commands/task/edit.ts") },
      {
        word: "delete",
        summary: "delete a task, its schedules and chains; its history stays",
        load: () => import("./commands/task/delete.ts"),
      },
      { word: "enable", summary: "let a task start again", load: () => import("./commands/task/enable.ts") },
      { word: "disable", summary: "keep a task from starting", load: () => import("./commands/task/disable.ts") },
      { word: "archive", summary: "put a task away", load: () => import("./commands/task/archive.ts") },
      { word: "restore", summary: "take an archived task back", load: () => import("./commands/task/restore.ts") },
      { word: "run", summary: "run a task now", load: () => import("./commands/task/run.ts") },
      { word: "env", summary: "reveal a task's own environment", load: () => import("./commands/task/env.ts") },
      { word: "stdin", summary: "reveal a task's standard input", load: () => import("./commands/task/stdin.ts") },
    ],
  },
  {
    word: "group",
    summary: "tasks that belong together",
    verbs: [
      { word: "list", summary: "list groups", load: () => import("./commands/group/list.ts") },
      { word: "show", summary: "show a group with its tasks", load: () => import("./commands/group/show.ts") },
      { word: "add", summary: "add a group", load: () => import("./commands/group/add.ts") },
      { word: "edit", summary: "change a group", load: () => import("./commands/group/edit.ts") },
      { word: "delete", summary: "delete an empty group", load: () => import("./commands/group/delete.ts") },
      { word: "enable", summary: "let its tasks start again", load: () => import("./commands/group/enable.ts") },
      {
        word: "disable",
        summary: "keep all its tasks from starting",
        load: () => import("./commands/group/disable.ts"),
      },
    ],
  },
  {
    word: "schedule",
    summary: "when tasks run",
    verbs: [
      { word: "list", summary: "list schedules", load: () => import("./commands/schedule/list.ts") },
      { word: "show", summary: "show a schedule", load: () => import("./commands/schedule/show.ts") },
      { word: "add", summary: "add a schedule to a task", load: () => import("./commands/schedule/add.ts") },
      { word: "edit", summary: "change a schedule", load: () => import("./commands/schedule/edit.ts") },
      { word: "delete", summary: "delete a schedule", load: () => import("./commands/schedule/delete.ts") },
      { word: "enable", summary: "let it fall due again", load: () => import("./commands/schedule/enable.ts") },
      { word: "disable", summary: "keep it from falling due", load: () => import("./commands/schedule/disable.ts") },
      {
        word: "pause",
        summary: "keep it from falling due for a while",
        load: () => import("./commands/schedule/pause.ts"),
      },
      { word: "resume", summary: "end a pause", load: () => import("./commands/schedule/resume.ts") },
      {
        word: "preview",
        summary: "show when it will run, before or after adding it",
        load: () => import("./commands/schedule/preview.ts"),
      },
    ],
  },
  {
    word: "run",
    summary: "what ran, runs and will not run",
    verbs: [
      { word: "list", summary: "list runs, newest first", load: () => import("./commands/run/list.ts") },
      { word: "show", summary: "show a run", load: () => import("./commands/run/show.ts") },
      { word: "logs", summary: "print what a run wrote", load: () => import("./commands/run/logs.ts") },
      { word: "cancel", summary: "end a run", load: () => import("./commands/run/cancel.ts") },
      { word: "rerun", summary: "run the same task once more", load: () => import("./commands/run/rerun.ts") },
    ],
  },
  {
    word: "trigger",
    summary: "keys that let others run a task",
    verbs: [
      {
        word: "list",
        summary: "list triggers",
        load: () => import("./commands/trigger/list.ts"),
      },
      {
        word: "show",
        summary: "show a trigger",
        load: () => import("./commands/trigger/show.ts"),
      },
      {
        word: "add",
        summary: "add a trigger; prints its key",
        load: () => import("./commands/trigger/add.ts"),
      },
      {
        word: "edit",
        summary: "rename a trigger, or give it another task",
        load: () => import("./commands/trigger/edit.ts"),
      },
      {
        word: "delete",
        summary: "delete a trigger; its key is worthless from then on",
        load: () => import("./commands/trigger/delete.ts"),
      },
      {
        word: "enable",
        summary: "let a trigger be fired again",
        load: () => import("./commands/trigger/enable.ts"),
      },
      {
        word: "disable",
        summary: "refuse to be fired",
        load: () => import("./commands/trigger/disable.ts"),
      },
      {
        word: "rotate",
        summary: "replace the key, and print the new one",
        load: () => import("./commands/trigger/rotate.ts"),
      },
      {
        word: "reveal",
        summary: "print the key",
        load: () => import("./commands/trigger/reveal.ts"),
      },
      {
        word: "fire",
        summary: "run the task of a key",
        load: () => import("./commands/trigger/fire.ts"),
      },
    ],
  },
  {
    word: "channel",
    summary: "where to tell of runs that ended",
    verbs: [
      {
        word: "list",
        summary: "list channels",
        load: () => import("./commands/channel/list.ts"),
      },
      {
        word: "show",
        summary: "show a channel with its last deliveries",
        load: () => import("./commands/channel/show.ts"),
      },
      {
        word: "add",
        summary: "add a webhook",
        load: () => import("./commands/channel/add.ts"),
      },
      {
        word: "edit",
        summary: "change a channel's name or endpoint",
        load: () => import("./commands/channel/edit.ts"),
      },
      {
        word: "delete",
        summary: "delete a channel and what it has not delivered",
        load: () => import("./commands/channel/delete.ts"),
      },
      {
        word: "enable",
        summary: "let it get deliveries again",
        load: () => import("./commands/channel/enable.ts"),
      },
      {
        word: "disable",
        summary: "keep new deliveries from it",
        load: () => import("./commands/channel/disable.ts"),
      },
      {
        word: "rotate",
        summary: "replace or clear its secrets",
        load: () => import("./commands/channel/rotate.ts"),
      },
      {
        word: "test",
        summary: "send it a test",
        load: () => import("./commands/channel/test.ts"),
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
        load: () => import("./commands/trigger-set/list.ts"),
      },
      {
        word: "show",
        summary: "show a set with its members",
        load: () => import("./commands/trigger-set/show.ts"),
      },
      {
        word: "add",
        summary: "add a set; prints its keys",
        load: () => import("./commands/trigger-set/add.ts"),
      },
      {
        word: "edit",
        summary: "give every member another task, or rename the set",
        load: () => import("./commands/trigger-set/edit.ts"),
      },
      {
        word: "delete",
        summary: "delete a set and all its members",
        load: () => import("./commands/trigger-set/delete.ts"),
      },
      {
        word: "enable",
        summary: "let every member be fired again",
        load: () => import("./commands/trigger-set/enable.ts"),
      },
      {
        word: "disable",
        summary: "refuse every member's fires",
        load: () => import("./commands/trigger-set/disable.ts"),
      },
      {
        word: "rotate",
        summary: "replace every key, and print the new ones",
        load: () => import("./commands/trigger-set/rotate.ts"),
      },
      {
        word: "reveal",
        summary: "print every key",
        load: () => import("./commands/trigger-set/reveal.ts"),
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
        load: () => import("./commands/notify/show.ts"),
      },
      {
        word: "effective",
        summary: "show what holds for a task, and who says so",
        load: () => import("./commands/notify/effective.ts"),
      },
      {
        word: "set",
        summary: "replace a task's or a group's own assignments",
        load: () => import("./commands/notify/set.ts"),
      },
      {
        word: "clear",
        summary: "let a task or a group inherit again",
        load: () => import("./commands/notify/clear.ts"),
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
        load: () => import("./commands/delivery/list.ts"),
      },
      {
        word: "show",
        summary: "show a delivery and its body",
        load: () => import("./commands/delivery/show.ts"),
      },
      {
        word: "redeliver",
        summary: "send the same event once more",
        load: () => import("./commands/delivery/redeliver.ts"),
      },
    ],
  },
  {
    word: "chain",
    summary: "which task follows which",
    verbs: [
      { word: "list", summary: "list chains", load: () => import("./commands/chain/list.ts") },
      { word: "show", summary: "show a chain", load: () => import("./commands/chain/show.ts") },
      { word: "add", summary: "start a task when another has ended", load: () => import("./commands/chain/add.ts") },
      { word: "edit", summary: "change a chain", load: () => import("./commands/chain/edit.ts") },
      { word: "delete", summary: "delete a chain", load: () => import("./commands/chain/delete.ts") },
      { word: "enable", summary: "let it start its target again", load: () => import("./commands/chain/enable.ts") },
      {
        word: "disable",
        summary: "keep it from starting its target",
        load: () => import("./commands/chain/disable.ts"),
      },
      { word: "graph", summary: "draw what follows what", load: () => import("./commands/chain/graph.ts") },
    ],
  },
  {
    word: "webhook",
    summary: "try receivers",
    verbs: [
      {
        word: "listen",
        summary: "print and check webhooks that arrive on this machine",
        load: () => import("./commands/webhook/listen.ts"),
      },
      {
        word: "send",
        summary: "send an example to a receiver",
        load: () => import("./commands/webhook/send.ts"),
      },
    ],
  },
  { word: "agenda", summary: "what will run next, over all schedules", load: () => import("./commands/agenda.ts") },
  { word: "why", summary: "why a task ran, or did not", load: () => import("./commands/why.ts") },
  { word: "events", summary: "print changes as they happen", load: () => import("./commands/events.ts") },
  {
    word: "import",
    summary: "bring schedules from elsewhere",
    verbs: [
      {
        word: "crontab",
        summary: "import a crontab, whole or not at all",
        load: () => import("./commands/import/crontab.ts"),
      },
    ],
  },
  {
    word: "audit",
    summary: "who changed what",
    verbs: [
      {
        word: "list",
        summary: "list management operations, newest first",
        load: () => import("./commands/audit/list.ts"),
      },
    ],
  },
  {
    word: "manifest",
    summary: "the daemon's identity",
    verbs: [
      {
        word: "show",
        summary: "show identity, versions and capabilities",
        load: () => import("./commands/manifest/show.ts"),
      },
      {
        word: "rename",
        summary: "give the daemon a display name",
        load: () => import("./commands/manifest/rename.ts"),
      },
      {
        word: "reset",
        summary: "give the installation a new identity",
        load: () => import("./commands/manifest/reset.ts"),
      },
    ],
  },
  { word: "doctor", summary: "look for what is wrong", load: () => import("./commands/doctor.ts") },
];
