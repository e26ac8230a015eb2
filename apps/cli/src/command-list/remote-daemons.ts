import type { CommandEntry, CommandFamily } from "./entry.ts";

/** Daemons on other machines. */
export const remoteDaemons: readonly (CommandFamily | CommandEntry)[] = [
  {
    name: "enroll",
    summary: "get access to a daemon on another machine",
    load: () => import("../commands/enroll.ts"),
  },
  {
    name: "profile",
    summary: "manage the profiles of daemons on other machines",
    subcommands: [
      { name: "list", summary: "list the profiles", load: () => import("../commands/profile/list.ts") },
      { name: "show", summary: "show a profile", load: () => import("../commands/profile/show.ts") },
      {
        name: "use",
        summary: "choose the daemon that all commands call",
        load: () => import("../commands/profile/use.ts"),
      },
      { name: "edit", summary: "change what a profile expects", load: () => import("../commands/profile/edit.ts") },
      { name: "rename", summary: "rename a profile", load: () => import("../commands/profile/rename.ts") },
      {
        name: "remove",
        summary: "delete a profile from this machine",
        load: () => import("../commands/profile/remove.ts"),
      },
    ],
  },
  {
    name: "fleet",
    summary: "call the daemons of many profiles",
    subcommands: [
      { name: "status", summary: "show the state of each daemon", load: () => import("../commands/fleet/status.ts") },
      { name: "run", summary: "run a task on each daemon", load: () => import("../commands/fleet/run.ts") },
      { name: "tasks", summary: "list the tasks of each daemon", load: () => import("../commands/fleet/tasks.ts") },
    ],
  },
];
