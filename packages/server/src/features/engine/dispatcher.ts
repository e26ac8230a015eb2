import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { Lifecycle, Replacement, RunFact, RunRow, RunStore } from "../runs/index.ts";
import type { TaskRow, Tasks } from "../tasks/index.ts";
import { createSlots, type Limits, type Slots } from "./slots.ts";
import type { ListWaitingTasks } from "./store.ts";
import { createWaitingAlike, type SharedRefusal } from "./waiting-alike.ts";

export interface DispatcherDeps {
  readonly log: Log;
  readonly store: RunStore;
  readonly tasks: Tasks;
  readonly lifecycle: Lifecycle;
  readonly replacement: Replacement;
  readonly listWaitingTasks: ListWaitingTasks;
  readonly runsAtOnceMax: number;
  /** Whether the runner cannot start this task: its runs wait for another runner. */
  readonly isRunnerTooOld: (task: TaskRow) => boolean;
  /** Returns the origin that is stored with each attempt, to explain a missing claim later. */
  readonly origin: () => string;
}

/** A task as one round sees it: read once, however many of its runs are considered. */
interface Candidate {
  readonly task: TaskRow;
  readonly obstacle: ReturnType<Tasks["obstacleOf"]>;
  readonly limits: Limits;
}

/** `unreadable`: the task's row is damaged. Its runs wait until it is repaired, and do not block other tasks. */
type Known = Candidate | "unreadable" | null;

/** What a run was refused for: every slot of the daemon is taken, its task must wait, or also others that are alike. */
type Refused = "all" | "task" | SharedRefusal;

const pageSizeMax = 100;

/**
 * Creates the attempts of waiting runs, by priority and then by age, as far as the limits allow. Counts the used slots
 * from the rows each time, so that no count can become wrong. A full task or group does not block others. Of the
 * tasks that wait for the same group or key, it reads one.
 */
export function createDispatcher(deps: DispatcherDeps) {
  const { log, store, tasks, lifecycle, replacement, runsAtOnceMax, origin } = deps;
  /** Tasks with a damaged row. Each is logged once, not in each round. */
  const unreadable = new Set<string>();

  /** Dispatches waiting runs. Returns true if every slot of the daemon is taken. */
  return (unit: Unit<RunFact>): boolean => {
    if (tasks.isEverythingHeld()) return false;
    const slots = createSlots(runsAtOnceMax);
    const candidates = new Map<string, Known>();
    replaceForDue(unit, candidates);
    for (const { taskId } of store.listLive()) {
      const candidate = candidateOf(taskId, candidates);
      if (candidate !== null) slots.take(limitsOf(candidate, taskId));
    }
    const waitingAlike = createWaitingAlike(() => deps.listWaitingTasks(unit.now));
    const full = new Set<string>();
    let after: RunRow | null = null;
    // most often the whole first page can start; if not, the pages grow
    for (
      let pageSize = Math.min(slots.free, pageSizeMax);
      slots.free > 0;
      pageSize = Math.min(4 * pageSize, pageSizeMax)
    ) {
      const waiting = store.listWaiting({ now: unit.now, full: [...full], limit: pageSize, after });
      for (const run of waiting) {
        if (full.has(run.taskId)) continue;
        const candidate = candidateOf(run.taskId, candidates);
        const refused = candidate === "unreadable" ? "task" : consider(unit, run, { candidate, slots });
        if (refused === null) continue;
        if (refused === "all") return true;
        full.add(run.taskId);
        if (refused === "task" || candidate === null || candidate === "unreadable") continue;
        for (const { id } of waitingAlike(candidate.task, refused)) full.add(id);
      }
      if (waiting.length < pageSize) break;
      after = waiting.at(-1)!;
    }
    return slots.free <= 0;
  };

  /** A run for a later time that is due replaces older runs, even if all slots of the daemon are taken. */
  function replaceForDue(unit: Unit<RunFact>, candidates: Map<string, Known>): void {
    for (const run of store.listNewlyDue(unit.now)) {
      const candidate = candidateOf(run.taskId, candidates);
      if (candidate === null || candidate === "unreadable" || candidate.obstacle !== "ready") continue;
      replacement.replaceForDue(unit, candidate.task, run);
    }
  }

  function candidateOf(taskId: string, known: Map<string, Known>): Known {
    const former = known.get(taskId);
    if (former !== undefined) return former;
    const candidate = readCandidate(taskId);
    known.set(taskId, candidate);
    return candidate;
  }

  function readCandidate(taskId: string): Known {
    try {
      const task = tasks.find(taskId);
      unreadable.delete(taskId);
      if (task === undefined) return null;
      const limits = { pool: tasks.poolOf(task), groups: tasks.groupLimitsOf(task) };
      return { task, obstacle: tasks.obstacleOf(task), limits };
    } catch (error) {
      if (!unreadable.has(taskId)) log.error("task.unreadable", { task_id: taskId, error: describeError(error) });
      unreadable.add(taskId);
      return "unreadable";
    }
  }

  /** Returns the limits of a candidate. Active runs of a damaged task still use the daemon's slots. */
  function limitsOf(candidate: Candidate | "unreadable", taskId: string): Limits {
    return candidate === "unreadable" ? { pool: { id: taskId, max: 0 }, groups: [] } : candidate.limits;
  }

  function consider(
    unit: Unit<RunFact>,
    run: RunRow,
    of: { readonly candidate: Candidate | null; readonly slots: Slots },
  ): Refused | null {
    const { candidate, slots } = of;
    const obstacle = candidate?.obstacle ?? "target_missing";
    // the queued runs of a held task wait for its release
    if (obstacle === "held") return "group";
    if (candidate === null || obstacle !== "ready") {
      lifecycle.giveUp(unit, run, obstacle === "ready" ? "target_missing" : obstacle);
      return null;
    }
    const { task, limits } = candidate;
    if (deps.isRunnerTooOld(task)) return "task";
    const refusal = slots.refusal(limits);
    if (refusal === "pool" && task.onConflict === "skip") {
      // a run for a later time, or of a task that was held: only now is it known whether it overlaps
      if (run.attempt === 0 && run.notBefore > 0) lifecycle.skipOverlapping(unit, run);
      return null;
    }
    if (refusal === "pool") return task.concurrencyKey === null ? "task" : "key";
    if (refusal !== null) return refusal;
    slots.take(limits);
    lifecycle.dispatch(unit, run, origin());
    return null;
  }
}
