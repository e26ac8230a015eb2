import type { CatalogueEntry, CatalogueRoom } from "./entry.ts";

/** What runs, ran, and will run. */
export const history: readonly (CatalogueRoom | CatalogueEntry)[] = [
  {
    word: "run",
    summary: "what ran, runs and will not run",
    verbs: [
      { word: "list", summary: "list runs, newest first", load: () => import("../commands/run/list.ts") },
      { word: "show", summary: "show a run", load: () => import("../commands/run/show.ts") },
      { word: "logs", summary: "print what a run wrote", load: () => import("../commands/run/logs.ts") },
      { word: "cancel", summary: "end a run", load: () => import("../commands/run/cancel.ts") },
      { word: "rerun", summary: "run the same task once more", load: () => import("../commands/run/rerun.ts") },
    ],
  },
  { word: "agenda", summary: "what will run next, over all schedules", load: () => import("../commands/agenda.ts") },
  { word: "why", summary: "why a task ran, or did not", load: () => import("../commands/why.ts") },
];
