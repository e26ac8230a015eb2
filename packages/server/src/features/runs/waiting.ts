import { type RunLimit, type RunWait, type RunWaitReason, type Why, waitRunIdsMax } from "@belfry/contract";
import { formatInstant, formatInstantOrNull, type Instant } from "../../kernel/time/time.ts";
import type { TaskRow, Tasks, WhyQuestion } from "../tasks/index.ts";
import { reasonTextFor } from "./shown-reason.ts";
import type { RunStore } from "./store.ts";
import type { RunRow } from "./table.ts";

export interface WaitDeps {
  readonly runs: Pick<RunStore, "listLiveOfPool" | "listLive">;
  readonly tasks: Pick<Tasks, "find" | "poolOf" | "obstacleOf" | "findHoldOf" | "groupLimitsOf">;
  /** The limit of the daemon. */
  readonly runsAtOnceMax: number;
  /** Whether a runner responds, and the daemon is not stopping. */
  readonly isAvailable: () => boolean;
  /** Whether the runner is of a former version that cannot start this task. */
  readonly isRunnerTooOld: (task: TaskRow) => boolean;
}

/** An active run that uses a slot. */
interface Holder {
  readonly id: string;
  /** Null if its task is that of the waiting run. */
  readonly taskName: string | null;
}

interface Cause {
  readonly reason: RunWaitReason;
  /** Follows `is queued` or `is waiting for attempt 2 of 3`. */
  readonly clause: string;
  readonly until?: Instant;
  readonly holders?: readonly Holder[];
}

type Question = Pick<WhyQuestion, "now" | "viewer">;

export type ExplainWait = (run: RunRow, question: Question) => RunWait;
/** Returns the limit that a run of the task would meet now; null if it would meet none. */
export type ExplainLimit = (task: TaskRow) => Why["limit"];

/** A limit that is reached. */
interface Reached {
  readonly reason: RunLimit;
  /** `the task's limit of 1 concurrent run is reached (run_4fzH1TqWb8YkV0c2LxNd is active)` */
  readonly text: string;
  readonly holders: readonly Holder[];
}

/** More than these are counted in the text, not named. */
const namedRunsMax = 3;

/**
 * Explains what a queued run waits for, and which limit a new one would meet. It reads the active runs, whose number is
 * limited, so it is not asked for the runs of a list.
 */
export function createExplainWait(deps: WaitDeps): {
  readonly explainWait: ExplainWait;
  readonly explainLimit: ExplainLimit;
} {
  const { runs, tasks, runsAtOnceMax } = deps;
  return { explainWait, explainLimit };

  function explainWait(run: RunRow, { now, viewer }: Question): RunWait {
    const { reason, clause, until = null, holders = [] } = causeOf(run, now);
    const status =
      run.attempt === 0
        ? "is queued"
        : `${reasonTextFor(viewer, run) ?? "failed"}; it is waiting for attempt ${run.attempt + 1} of ${run.attemptsMax}`;
    return {
      reason,
      text: `${status}${clause}`,
      until: formatInstantOrNull(until),
      run_ids: idsOf(holders),
    };
  }

  function explainLimit(task: TaskRow): Why["limit"] {
    const limit = limitOf(task);
    if (limit === null) return null;
    const { reason, text, holders } = limit;
    // a task does not replace or skip because of a wider limit
    const isOwn = reason === "task_limit" || reason === "key_limit";
    return { reason, text, new_run: isOwn ? task.onConflict : "queue", run_ids: idsOf(holders) };
  }

  function causeOf(run: RunRow, now: Instant): Cause {
    const task = findReadable(run.taskId);
    if (task === "unreadable")
      return { reason: "task_unreadable", clause: ": its task cannot be read, as the daemon's log says" };
    const isHeld = task !== undefined && tasks.obstacleOf(task) === "held";
    if (run.notBefore > now) {
      const reason = run.attempt === 0 ? "start_time" : "retry_delay";
      const clause = ` until ${formatInstant(run.notBefore)}${isHeld ? clauseOfHold(task) : ""}`;
      return { reason, clause, until: run.notBefore };
    }
    if (isHeld) return { reason: "held", clause: clauseOfHold(task), ...untilOf(task) };
    if (!deps.isAvailable())
      return { reason: "runner", clause: " until the daemon's runner process responds: see belfry doctor" };
    if (task !== undefined && deps.isRunnerTooOld(task)) {
      const clause =
        " until a newer runner process is ready: the present one cannot start this task. Restart the daemon";
      return { reason: "runner", clause };
    }
    const isNext: Cause = { reason: "dispatch", clause: run.attempt === 0 ? " and about to start" : "" };
    const limit = task === undefined ? null : limitOf(task);
    return limit === null ? isNext : { ...limit, clause: `: ${limit.text}` };
  }

  /** The narrowest limit that is reached. While it is, a slot of a wider one does not help. */
  function limitOf(task: TaskRow): Reached | null {
    const pool = tasks.poolOf(task);
    const inPool = runs.listLiveOfPool(task);
    if (inPool.length >= pool.max) {
      const holders = inPool.map(({ id, taskId, taskName }) => ({
        id,
        taskName: taskId === task.id ? null : taskName,
      }));
      const key = task.concurrencyKey;
      if (key === null) return reached({ reason: "task_limit", name: "the task's limit", max: pool.max, holders });
      const of = ` for the concurrency key ${JSON.stringify(key)}`;
      return reached({ reason: "key_limit", name: "the limit", max: pool.max, of, holders });
    }
    const limited = tasks.groupLimitsOf(task).filter(({ max }) => max !== null);
    const live = runs.listLive();
    if (limited.length === 0 && live.length < runsAtOnceMax) return null;
    const holders = live.map(({ id, taskId }) => ({ id, ...holderOf(taskId, task) }));
    for (const { id, name, max } of limited) {
      const inGroup = holders.filter(({ groupIds }) => groupIds.includes(id));
      const of = ` for the group ${JSON.stringify(name)}`;
      if (inGroup.length >= max!)
        return reached({ reason: "group_limit", name: "the limit", max: max!, of, holders: inGroup });
    }
    if (live.length < runsAtOnceMax) return null;
    return reached({ reason: "daemon_limit", name: "the daemon's limit", max: runsAtOnceMax, holders });
  }

  function holderOf(taskId: string, waiting: TaskRow) {
    const task = findReadable(taskId);
    if (task === undefined || task === "unreadable") return { taskName: null, groupIds: [] };
    return {
      taskName: taskId === waiting.id ? null : task.name,
      groupIds: tasks.groupLimitsOf(task).map(({ id }) => id),
    };
  }

  /** A damaged row of a task must not keep its runs from being shown. */
  function findReadable(taskId: string): TaskRow | undefined | "unreadable" {
    try {
      return tasks.find(taskId);
    } catch {
      return "unreadable";
    }
  }

  function clauseOfHold(task: TaskRow): string {
    const until = tasks.findHoldOf(task)?.untilAt ?? null;
    return `; its task is held until ${until === null ? "the hold is released" : formatInstant(until)}`;
  }

  function untilOf(task: TaskRow): Pick<Cause, "until"> {
    const until = tasks.findHoldOf(task)?.untilAt ?? null;
    return until === null ? {} : { until };
  }
}

function idsOf(holders: readonly Holder[]): string[] {
  return holders.slice(0, waitRunIdsMax).map(({ id }) => id);
}

interface Limit {
  readonly reason: RunLimit;
  readonly name: string;
  readonly max: number;
  /** What the limit is for. */
  readonly of?: string;
  readonly holders: readonly Holder[];
}

function reached({ reason, name, max, of = "", holders }: Limit): Reached {
  const limit = `${name} of ${max} concurrent ${max === 1 ? "run" : "runs"}${of}`;
  return { reason, text: `${limit} is reached${nameHolders(holders)}`, holders };
}

/** `(run_1 and run_2 of "Load" are active)` */
function nameHolders(holders: readonly Holder[]): string {
  if (holders.length === 0) return "";
  const named = holders
    .slice(0, namedRunsMax)
    .map(({ id, taskName }) => (taskName === null ? id : `${id} of ${JSON.stringify(taskName)}`));
  const others = holders.length - named.length;
  const all = others === 0 ? named : [...named, `${others} more`];
  const list = all.length === 1 ? all[0]! : `${all.slice(0, -1).join(", ")} and ${all.at(-1)!}`;
  return ` (${list} ${holders.length === 1 ? "is" : "are"} active)`;
}
