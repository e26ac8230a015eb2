import type { CommandFamily } from "./entry.ts";

export const watchers: CommandFamily = {
  name: "watcher",
  summary: "run a task when files change",
  subcommands: [
    {
      name: "list",
      summary: "list watchers",
      load: () => import("../commands/watcher/list.ts"),
    },
    {
      name: "show",
      summary: "show a watcher and its health",
      load: () => import("../commands/watcher/show.ts"),
    },
    {
      name: "add",
      summary: "add a watcher of a directory or a file",
      load: () => import("../commands/watcher/add.ts"),
    },
    {
      name: "edit",
      summary: "change a watcher",
      load: () => import("../commands/watcher/edit.ts"),
    },
    {
      name: "delete",
      alias: "remove",
      summary: "delete a watcher",
      load: () => import("../commands/watcher/delete.ts"),
    },
    {
      name: "enable",
      summary: "enable a watcher",
      load: () => import("../commands/watcher/enable.ts"),
    },
    {
      name: "disable",
      summary: "disable a watcher",
      load: () => import("../commands/watcher/disable.ts"),
    },
  ],
};
