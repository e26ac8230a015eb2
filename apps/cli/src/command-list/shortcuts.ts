import type { CommandEntry } from "./entry.ts";

/** The commands that are used most, by the names of other tools. */
export const shortcuts: readonly CommandEntry[] = [
  {
    name: "ls",
    summary: "short for: task list",
    shortFor: "task list",
    load: () => import("../commands/task/list.ts"),
  },
  { name: "ps", summary: "list active runs", load: () => import("../commands/ps.ts") },
  {
    name: "logs",
    summary: "short for: run logs",
    shortFor: "run logs",
    load: () => import("../commands/run/logs.ts"),
  },
  {
    name: "rm",
    alias: "delete",
    summary: "short for: task delete",
    shortFor: "task delete",
    load: () => import("../commands/task/delete.ts"),
  },
];
