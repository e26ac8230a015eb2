import { watcherHealthReasons } from "@belfry/contract";
import type { Config } from "../../kernel/config/config.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createDescribeRun, type RunStore } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import { watcherEvents } from "./events.ts";
import { createExplainWatchers } from "./explain.ts";
import { isRemotePath } from "./mounts.ts";
import type { ObservationOf } from "./observation.ts";
import { serveWatchers } from "./operations.ts";
import { createPathRules } from "./path-rules.ts";
import { createWatchers } from "./service.ts";
import { createWatcherStore } from "./store.ts";

export interface WatchersParts {
  readonly db: Db;
  readonly config: Pick<Config, "paths">;
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly runs: RunStore;
}

export function openWatchers({ db, config, clock, tasks, runs }: WatchersParts) {
  const store = createWatcherStore(db);
  const openedAt = clock.now();
  const observationOf: ObservationOf = ({ enabled, observedFrom }) => ({
    health: {
      ...(enabled
        ? { state: "starting", reason: watcherHealthReasons.scanning }
        : { state: "stopped", reason: watcherHealthReasons.disabled }),
      since: Math.max(openedAt, observedFrom),
    },
    isSettling: false,
    waitsForRun: false,
  });
  const requireOutsideData = createPathRules({ dataDir: config.paths.dataDir, isRemotePath });
  const service = createWatchers({ store, tasks, requireOutsideData, observationOf });
  return {
    service,
    explain: createExplainWatchers({
      store,
      runs,
      tasks,
      observationOf,
      describeRun: createDescribeRun({ runs, tasks }),
    }),
    operations: serveWatchers({ watchers: service, tasks }),
    events: watcherEvents({ store, observationOf }),
    revisions: { filesystem_watcher: (id: string) => service.find(id)?.revision },
    onTaskDeleted: service.onTaskDeleted,
  };
}
