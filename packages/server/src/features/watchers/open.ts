import { type EventKind, type Hint, limits } from "@belfry/contract";
import type { Config } from "../../kernel/config/config.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Sealing } from "../../kernel/secrets/secrets.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { Write } from "../../kernel/storage/write.ts";
import { type Clock, systemClock } from "../../kernel/time/clock.ts";
import type { DescribeRun, Replacement, Requests, RunFact, RunStore } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import { healthEvent, watcherEvents } from "./events.ts";
import { createExplainWatchers } from "./explain.ts";
import { recoverRunFiles } from "./handing/recover.ts";
import { isRemotePath } from "./mounts.ts";
import { openObserverProcess } from "./observer-process.ts";
import { openObserverThread } from "./observer-thread.ts";
import { createObservers } from "./observers.ts";
import { createNameHash } from "./observing/name-hash.ts";
import { serveWatchers } from "./operations.ts";
import { createPathRules, remoteMountOf } from "./path-rules.ts";
import { createRunRequests } from "./run-requests.ts";
import { createWatchers } from "./service.ts";
import { removeObsolete, standingsOf } from "./standings.ts";
import { createWatcherStore } from "./store.ts";
import { createWatching } from "./watching.ts";

export interface WatchersParts {
  readonly db: Db;
  readonly config: Pick<Config, "paths">;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealing: Sealing;
  readonly write: Write<RunFact>;
  /** Publishes an event that no fact stands behind. */
  readonly publish: (kind: EventKind, make: () => Hint | null) => void;
  readonly tasks: Tasks;
  readonly runs: RunStore;
  readonly requests: Requests;
  readonly describeRun: DescribeRun;
  readonly replacement: Replacement;
}

export function openWatchers({
  db,
  config,
  sealing,
  clock,
  log,
  write,
  publish,
  tasks,
  runs,
  requests,
  describeRun,
  replacement,
}: WatchersParts) {
  const { dataDir, watchers: folder, runFiles: runsFolder } = config.paths;
  const hashKey = sealing.derive("names of watched files");
  const store = createWatcherStore(db);
  const watching = createWatching({
    clock,
    log,
    store,
    requests: createRunRequests({ store, tasks, runs, requests, replacement, write, clock, runsFolder }),
    openObservers: (listener) =>
      createObservers({
        ...listener,
        clock: systemClock,
        start: { folder, runsFolder, dataDir, hashKey, filesMax: limits.watchedFilesMax },
        openThread: openObserverThread,
        openProcess: openObserverProcess,
      }),
    mountOf: remoteMountOf,
    recover: (isConcerned) => {
      removeObsolete(folder, store);
      const standings = standingsOf({ runs, runsFolder });
      const observationOf = (watcherId: string): number | null => store.find(watcherId)?.observation ?? null;
      const hash = createNameHash(hashKey);
      return recoverRunFiles({ folder, runsFolder, hash, standings, observationOf, isConcerned });
    },
    onHealth: (watcher, observation) => publish("filesystem_watcher", () => healthEvent(watcher, observation)),
  });
  const { observationOf } = watching;
  const requireOutsideData = createPathRules({ dataDir, isRemote: isRemotePath });
  const service = createWatchers({ store, tasks, requireOutsideData, observationOf });
  return {
    service,
    explain: createExplainWatchers({
      store,
      runs,
      tasks,
      observationOf,
      describeRun,
    }),
    operations: serveWatchers({ watchers: service, tasks }),
    events: watcherEvents({ store, observationOf }),
    revisions: { filesystem_watcher: (id: string) => service.find(id)?.revision },
    loops: [watching.loop],
    onTaskDeleted: service.onTaskDeleted,
    onCreated: watching.onCreated,
    onUpdated: watching.onUpdated,
    onDeleted: watching.onDeleted,
    onReadinessChanged: watching.onReadinessChanged,
    onRunDispatched: watching.onRunDispatched,
    onRunEnded: watching.onRunEnded,
  };
}
