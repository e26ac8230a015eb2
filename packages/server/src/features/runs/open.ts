import { hostname } from "node:os";
import type { Log } from "../../kernel/log/log.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { Tasks } from "../tasks/index.ts";
import { createAbandonStore } from "./abandon-store.ts";
import { createDescribeRun, type DescribeRunDeps } from "./describe-run.ts";
import { createExplainWait, type WaitDeps } from "./waiting.ts";
import { createExplainManual } from "./explain-manual.ts";
import { lostElsewhere } from "./reason-text.ts";
import { runEvents } from "./events.ts";
import { createFailureStore } from "./failure-store.ts";
import { createHistories, type Histories, type HistoriesParts } from "./histories.ts";
import { createHistoryStore } from "./history-store.ts";
import { createLifecycle } from "./lifecycle.ts";
import { createPauses } from "./pauses.ts";
import { serveRuns } from "./operations.ts";
import { createRunReactions } from "./reactions.ts";
import { createReplacement } from "./replacement.ts";
import { createRequests } from "./request.ts";
import { createRetention, type RetentionDeps } from "./retention.ts";
import { logRuns } from "./run-log.ts";
import { createRunStore, type RunStore } from "./store.ts";

/** The rows of runs, opened first: the tasks module, a layer below, needs to know whether a queue is full. */
export const openRunRows: (db: Db, onChanged: (taskId: string) => void) => RunStore = createRunStore;

/** The latest runs of each task, which the tasks module shows. */
export function openRunHistories(db: Db, isWriting: HistoriesParts["isWriting"]): Histories {
  return createHistories({ store: createHistoryStore(db), isWriting });
}

export interface RunsParts
  extends
    Pick<DescribeRunDeps, "isDelayed" | "findPause">,
    Pick<WaitDeps, "isAvailable" | "isRunnerTooOld" | "runsAtOnceMax">,
    Pick<RetentionDeps, "isFromElsewhere"> {
  readonly db: Db;
  readonly clock: Clock;
  readonly store: RunStore;
  readonly tasks: Tasks;
  readonly log: Log;
}

export function openRuns({
  db,
  clock,
  store,
  tasks,
  log,
  isDelayed,
  findPause,
  isFromElsewhere,
  ...limits
}: RunsParts) {
  const abandoned = createAbandonStore(db);
  const lifecycle = createLifecycle({ store, tasks, host: hostname() });
  const replacement = createReplacement({ store, tasks, lifecycle });
  const { explainWait, explainLimit } = createExplainWait({ runs: store, tasks, ...limits });
  const describe = createDescribeRun({ explainWait, isDelayed, findPause });
  const requests = createRequests({ store, tasks, replacement });
  return {
    store,
    requests,
    lifecycle,
    describe,
    explain: createExplainManual({ store, describe }),
    explainLimit,
    replacement,
    pauses: createPauses({ clock, store, tasks }),
    retention: createRetention({ store, tasks, isFromElsewhere }),
    operations: serveRuns({ store, failures: createFailureStore(db), tasks, requests, lifecycle, explainWait }),
    events: runEvents(store),
    /**
     * Ends the unfinished runs of data from elsewhere, except those whose attempt runs here. Nothing follows: the original
     * may still run them.
     */
    abandonAll: (unit: Unit, arrival: keyof typeof lostElsewhere, attemptsHere: ReadonlySet<string>): number =>
      abandoned.abandonAll(lostElsewhere[arrival], unit.now, attemptsHere),
    ...createRunReactions(store),
    logStep: logRuns(log, store),
  };
}
