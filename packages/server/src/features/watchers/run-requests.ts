import { newId } from "../../kernel/ids.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { Unit, Write } from "../../kernel/storage/write.ts";
import { type Requests, type RunFact, type RunRow, type RunStore, soleSource } from "../runs/index.ts";
import type { TaskRow, Tasks } from "../tasks/index.ts";
import { removeRunFiles, renameNew } from "./handing/run-files.ts";
import type { WatcherStore } from "./store.ts";
import type { WatcherRow } from "./table.ts";

export interface RunRequestDeps {
  readonly store: Pick<WatcherStore, "find">;
  readonly tasks: Tasks;
  readonly runs: RunStore;
  readonly requests: Requests;
  readonly write: Write<RunFact>;
  readonly clock: Clock;
  /** Where the files of runs are. */
  readonly runsFolder: string;
}

/** What becomes of settled files: they are prepared for a run, new or waiting, or they wait until something changes. */
export type Verdict =
  | { readonly is: "prepare"; readonly runId: string; readonly joins: boolean }
  | { readonly is: "wait"; readonly for: "room" | "task" }
  | { readonly is: "nothing" };

export type RunRequests = ReturnType<typeof createRunRequests>;

/**
 * Requests the runs of watchers. A watcher has one queued or active run: further files join it while it waits for its first
 * start, and otherwise wait for its end. Where the task cannot start, one skipped row says so, and the files wait.
 */
export function createRunRequests({ store, tasks, runs, requests, write, clock, runsFolder }: RunRequestDeps) {
  const decide = (watcher: WatcherRow): Verdict => {
    const unfinished = runs.findUnfinishedOfWatcher(watcher.id);
    if (unfinished !== undefined)
      return mayJoin(unfinished, watcher)
        ? { is: "prepare", runId: unfinished.id, joins: true }
        : { is: "wait", for: "room" };
    const task = tasks.find(watcher.targetTaskId);
    if (task === undefined) return { is: "wait", for: "task" };
    const isReady = tasks.obstacleOf(task) === "ready";
    if (!isReady || runs.isQueueFull(task.id)) {
      write((unit) => void requestFor(unit, task, { watcher, runId: newId("run") }));
      return { is: "wait", for: isReady ? "room" : "task" };
    }
    return hasRoom(task) ? { is: "prepare", runId: newId("run"), joins: false } : { is: "wait", for: "room" };
  };

  return {
    /** For settled files that are not on disk yet. */
    decide: (watcherId: string): Verdict => {
      const watcher = store.find(watcherId);
      return watcher === undefined || !watcher.enabled ? { is: "nothing" } : decide(watcher);
    },

    canStart: (watcherId: string): boolean => {
      const task = tasks.find(store.find(watcherId)?.targetTaskId ?? "");
      return task !== undefined && tasks.obstacleOf(task) === "ready";
    },

    /** Whether the end of a run of this task may let the watcher's task start one: both count against the same limit. */
    sharesLimit: (watcherId: string, taskId: string): boolean => {
      const targetTaskId = store.find(watcherId)?.targetTaskId;
      if (targetTaskId === taskId) return true;
      const target = tasks.find(targetTaskId ?? "");
      return target !== undefined && tasks.isSharingPool(target, taskId);
    },

    /** For files on disk: requests their run, or gives them to the waiting one. False if they must wait after all. */
    request: (watcherId: string, of: { readonly runId: string; readonly observation: number }): boolean =>
      write((unit) => {
        const watcher = store.find(watcherId);
        if (watcher === undefined || !watcher.enabled || watcher.observation !== of.observation) return false;
        const unfinished = runs.findUnfinishedOfWatcher(watcherId);
        if (unfinished !== undefined) {
          if (unfinished.id !== of.runId || !mayJoin(unfinished, watcher)) return false;
          // nothing can start the run before this turn ends
          renameNew(runsFolder, of.runId);
          return true;
        }
        const task = tasks.find(watcher.targetTaskId);
        if (task === undefined || !hasRoom(task) || runs.find(of.runId) !== undefined) return false;
        return requestFor(unit, task, { watcher, runId: of.runId }).state !== "skipped";
      }),

    /** For a run that will not read them again, of a watcher that nobody observes any more. */
    removeFiles: (runId: string): void => removeRunFiles(runsFolder, runId),
  };

  function requestFor(
    unit: Unit<RunFact>,
    task: TaskRow,
    of: { readonly watcher: WatcherRow; readonly runId: string },
  ): RunRow {
    const cause = { trigger: "filesystem_watcher", sourceWatcherId: of.watcher.id } as const;
    return requests.requestFor(unit, task, { ...soleSource(cause, unit.now, unit.now), runId: of.runId });
  }

  /** A task that skips conflicting runs is asked for one only when it can start. */
  function hasRoom(task: TaskRow): boolean {
    return task.onConflict !== "skip" || runs.countContenders(task, clock.now()) < tasks.poolOf(task).max;
  }
}

/** Files join a run that waits for its first start, unless the watcher starts another task since. */
function mayJoin({ state, attempt, taskId }: RunRow, { targetTaskId }: WatcherRow): boolean {
  return state === "queued" && attempt === 0 && taskId === targetTaskId;
}
