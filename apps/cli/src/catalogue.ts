import type { CatalogueEntry, CatalogueRoom } from "./catalogue/entry.ts";
import { history } from "./catalogue/history.ts";
import { notifications } from "./catalogue/notifications.ts";
import { starters } from "./catalogue/starters.ts";
import { tasks } from "./catalogue/tasks.ts";
import { upkeep } from "./catalogue/upkeep.ts";

export type { CatalogueEntry, CatalogueRoom } from "./catalogue/entry.ts";

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
  ...tasks,
  ...starters,
  ...history,
  ...notifications,
  ...upkeep,
];
