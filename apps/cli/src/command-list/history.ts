import type { CommandEntry, CommandFamily } from "./entry.ts";

/** Past, active and upcoming runs. */
export const history: readonly (CommandFamily | CommandEntry)[] = [
  {
    name: "run",
    summary: "list runs, read logs, cancel, rerun",
    subcommands: [
      { name: "list", summary: "list runs, newest first", load: () => import("../commands/run/list.ts") },
      { name: "show", summary: "show a run", load: () => import("../commands/run/show.ts") },
      { name: "attempts", summary: "list the attempts of a run", load: () => import("../commands/run/attempts.ts") },
      { name: "logs", summary: "print the output of a run", load: () => import("../commands/run/logs.ts") },
      { name: "cancel", summary: "cancel a run", load: () => import("../commands/run/cancel.ts") },
      { name: "rerun", summary: "run the task of a run again", load: () => import("../commands/run/rerun.ts") },
    ],
  },
  {
    name: "status",
    summary: "show what runs, has failed and is next",
    load: () => import("../commands/status.ts"),
  },
  {
    name: "agenda",
    summary: "list upcoming runs of all schedules",
    load: () => import("../commands/agenda.ts"),
  },
  {
    name: "timeline",
    summary: "draw past and upcoming runs by task",
    load: () => import("../commands/timeline.ts"),
  },
  { name: "why", summary: "explain why a task did or did not run", load: () => import("../commands/why.ts") },
];
