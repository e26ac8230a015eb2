import { newId } from "../../kernel/ids.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { Unit, Write } from "../../kernel/storage/write.ts";
import {
  type Replacement,
  type Requests,
  type RunFact,
  type RunRow,
  type RunStore,
  soleSource,
} from "../runs/index.ts";
import type { TaskRow, Tasks } from "../tasks/index.ts";
import { removeRunFiles, renameNew } from "./handing/run-files.ts";
import type { WatcherStore } from "./store.ts";
import type { WatcherRow } from "./table.ts";

export interface RunRequestDeps {
  readonly store: Pick<WatcherStore, "find">;
  readonly tasks: Tasks;
  readonly runs: RunStore;
  readonly requests: Requests;
  readonly replacement: Pick<Replacement, "listReplaced">;
  readonly write: Write<RunFact>;
  readonly clock: Clock;
  /** Where the files of runs are. */
  readonly runsFolder: string;
}

/**
 * What happens to settled files: they are prepared for a run, new or waiting, or they wait until something changes. A
 * new run that replaces the watcher's active run also gets the files of that run.
 */
export type Verdict =
  | { readonly is: "prepare"; readonly runId: string; readonly joins: boolean; readonly replacedId?: string }
  | { readonly is: "wait"; readonly for: "slot" | "task" }
  | { readonly is: "nothing" };

export interface PreparedRun {
  readonly runId: string;
  readonly observation: number;
  readonly replacedId?: string | null;
}

export type RunRequests = ReturnType<typeof createRunRequests>;

/**
 * Requests the runs of watchers. Further files join the watcher's run while it waits for its first start. Otherwise they
 * wait for its end, or start a run that replaces it. Where the task cannot start, one skipped row says so, and the files
 * wait.
 */
export function createRunRequests(deps: RunRequestDeps) {
  const { store, tasks, runs, requests, replacement, write, clock, runsFolder } = deps;
  const decide = (watcher: WatcherRow): Verdict => {
    const unfinished = runs.findUnfinishedOfWatcher(watcher.id);
    if (unfinished !== undefined && mayJoin(unfinished, watcher))
      return { is: "prepare", runId: unfinished.id, joins: true };
    const task = tasks.find(watcher.targetTaskId);
    if (unfinished !== undefined && (task === undefined || !isReplaceable(task, unfinished.id)))
      return { is: "wait", for: "slot" };
    if (task === undefined) return { is: "wait", for: "task" };
    const obstacle = tasks.obstacleOf(task);
    if (obstacle === "held") return { is: "wait", for: "task" };
    const isReady = obstacle === "ready";
    // a full queue does not keep its run from replacing a waiting one, but a run of a watcher replaces none of these
    if (isReady && task.onConflict === "replace" && !hasFreeSlot(task)) return { is: "wait", for: "slot" };
    if (!isReady || runs.isQueueFull(task.id)) {
      if (unfinished === undefined) write((unit) => void requestFor(unit, task, { watcher, runId: newId("run") }));
      return { is: "wait", for: isReady ? "slot" : "task" };
    }
    if (!hasFreeSlot(task)) return { is: "wait", for: "slot" };
    const run = { is: "prepare", runId: newId("run"), joins: false } as const;
    return unfinished === undefined ? run : { ...run, replacedId: unfinished.id };
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

    /** Whether the start of a run of this task lets the watcher's task replace it. */
    mayReplaceStarted: (watcherId: string, taskId: string): boolean => {
      const targetTaskId = store.find(watcherId)?.targetTaskId;
      return targetTaskId === taskId && tasks.find(taskId)?.onConflict === "replace";
    },

    /** For files on disk: requests their run, or gives them to the waiting one. False if they must wait after all. */
    request: (watcherId: string, of: PreparedRun): boolean =>
      write((unit) => {
        const { replacedId = null } = of;
        const watcher = store.find(watcherId);
        if (watcher === undefined || !watcher.enabled || watcher.observation !== of.observation) return false;
        const unfinished = runs.findUnfinishedOfWatcher(watcherId);
        if (unfinished !== undefined && unfinished.id !== replacedId) {
          if (unfinished.id !== of.runId || !mayJoin(unfinished, watcher)) return false;
          // nothing can start the run before this turn ends
          renameNew(runsFolder, of.runId);
          return true;
        }
        const task = tasks.find(watcher.targetTaskId);
        if (task === undefined || !hasFreeSlot(task) || runs.find(of.runId) !== undefined) return false;
        // a hold may have been placed while the list was written
        if (tasks.obstacleOf(task) === "held") return false;
        // if that run has ended since, its files are not for this one
        if (replacedId !== null && !isReplaceable(task, replacedId)) return false;
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

  /**
   * A task that skips conflicting runs is requested only when it can start. A run of a watcher replaces no run that has
   * not started: the files of two watchers would otherwise replace each other's runs without end.
   */
  function hasFreeSlot(task: TaskRow): boolean {
    switch (task.onConflict) {
      case "queue":
        return true;
      case "skip":
        return runs.countContenders(task, clock.now()) < tasks.poolOf(task).max;
      case "replace":
        return replacement.listReplaced(task).every(({ state, attempt }) => state !== "queued" || attempt > 0);
    }
  }

  function isReplaceable(task: TaskRow, runId: string): boolean {
    return task.onConflict === "replace" && replacement.listReplaced(task).some(({ id }) => id === runId);
  }
}

/** Files join a run that waits for its first start, unless the watcher starts another task since. */
function mayJoin({ state, attempt, taskId }: RunRow, { targetTaskId }: WatcherRow): boolean {
  return state === "queued" && attempt === 0 && taskId === targetTaskId;
}
