import { watcherHealthReasons } from "@belfry/contract";
import { expect, test } from "vitest";
import type { RunRow } from "../runs/index.ts";
import type { TaskRow } from "../tasks/index.ts";
import { createExplainWatchers } from "./explain.ts";
import type { WatcherObservation } from "./observation.ts";
import type { WatcherRow } from "./table.ts";

const now = Date.parse("2026-03-01T01:00:00Z");
const watcher = { id: "wch_1", name: "Inbox", targetTaskId: "tsk_1", enabled: true, createdAt: 0 } as WatcherRow;
const quiet: WatcherObservation = {
  health: { state: "observing", reason: watcherHealthReasons.notified, since: 0 },
  isSettling: false,
  waitsFor: null,
};
const missing = { state: "missing_path", reason: watcherHealthReasons.directory_missing, since: 0 } as const;

interface Case {
  readonly watcher?: Partial<WatcherRow>;
  readonly observation?: Partial<WatcherObservation>;
  readonly run?: Partial<RunRow>;
  readonly unfinished?: Partial<RunRow>;
  readonly readiness?: "ready" | "task_disabled";
  readonly at?: number;
}

/** The decision and the sentence for one watcher. */
function explain({ watcher: changed, observation, run, unfinished, readiness = "ready", at = now }: Case): string {
  const explainWatchers = createExplainWatchers({
    store: { list: () => [{ ...watcher, ...changed }] },
    runs: {
      findNewestOfWatcher: () =>
        run === undefined ? undefined : ({ startedAt: null, endedAt: null, scheduledFor: 0, ...run } as RunRow),
      findUnfinishedOfWatcher: () => unfinished as RunRow | undefined,
    },
    tasks: { find: () => ({}) as TaskRow, readiness: () => readiness },
    observationOf: () => ({ ...quiet, ...observation }),
    describeRun: ({ state }) => `has the state ${state}`,
  });
  const [answer] = explainWatchers({ taskId: "tsk_1", at, now, viewer: { capability: "manage", transport: "local" } });
  return `${answer!.decision}: ${answer!.reason}`;
}

test("why a watcher has started no run", () => {
  expect([
    explain({}),
    explain({ watcher: { enabled: false } }),
    explain({ observation: { health: missing } }),
    explain({ watcher: { createdAt: now }, at: now - 1 }),
    explain({ observation: { health: missing }, at: now - 1 }),
  ]).toEqual([
    "not_due: There is no record of a run: the watcher had found no changed files by this time, or retention deleted the run",
    "not_due: The watcher is disabled",
    "not_due: The watcher does not observe its files now. The directory does not exist, so the daemon observes the nearest directory above it that exists",
    "not_due: The watcher did not exist yet",
    "not_due: There is no record of a run: the watcher had found no changed files by this time, or retention deleted the run",
  ]);
});

test("what changed files wait for", () => {
  const waiting = { waitsFor: "slot" } as const;
  expect([
    explain({ observation: { isSettling: true } }),
    explain({ observation: waiting, unfinished: { id: "run_1" } }),
    explain({ observation: { waitsFor: "task" }, readiness: "task_disabled" }),
    explain({ observation: waiting }),
    explain({ observation: { waitsFor: "retry" } }),
  ]).toEqual([
    "upcoming: Files have changed, and the watcher waits until they stay unchanged",
    "upcoming: Files have changed, and the next run waits until run_1 ends",
    "upcoming: Files have changed, and no run can start: the task is disabled",
    "upcoming: Files have changed, and the next run waits until the limit of concurrent runs allows it",
    "upcoming: Files have changed, but the daemon could not store a run for them. It tries again every second, and its log contains the error",
  ]);
});

test("how the latest run went, unless something keeps changes from the next one", () => {
  const run = { state: "succeeded", startedAt: 1, endedAt: 2 } as const;
  const past = "Files had changed by 1970-01-01T00:00:00.000Z, and the run for them has the state";
  expect([
    explain({ run }),
    explain({ run: { state: "queued" } }),
    explain({ run: { state: "skipped", endedAt: 1 } }),
    explain({ run, watcher: { enabled: false } }),
    explain({ run, watcher: { enabled: false }, at: now - 1 }),
  ]).toEqual([
    `ran: ${past} succeeded`,
    `queued: ${past} queued`,
    `skipped: ${past} skipped`,
    "not_due: The watcher is disabled",
    `ran: ${past} succeeded`,
  ]);
});
