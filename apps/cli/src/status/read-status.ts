import { type Agenda, type Hold, isApiError, type Run, type Task } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { readSkipped } from "../find/held-tasks.ts";
import { listHolds } from "../find/hold.ts";
import { listActiveRuns } from "../runs/list-active.ts";

type AgendaEntry = Agenda["entries"][number];

const listMax = 1_000;
const failedTasksMax = 200;
const overdueMax = 200;
const nextShown = 5;
const nextSpanMs = 7 * 86_400_000;

export interface RunningRun {
  readonly run: Run;
  /** The usual duration of the task's runs; null before its first success. */
  readonly usual_ms: number | null;
}

/** A task with failed runs. */
export interface FailedTask {
  readonly run: Run;
  readonly failures: number;
  /** Whether the task has succeeded after its last failure; null for a deleted task. */
  readonly has_recovered: boolean | null;
}

/** A run that is due next. */
export interface NextRun extends AgendaEntry {
  /** Whether a hold skips it. */
  readonly is_skipped: boolean;
}

export interface Status {
  readonly daemon: { readonly display_name: string; readonly version: string };
  readonly holds: readonly Hold[];
  readonly running: readonly RunningRun[];
  readonly queued: { readonly waiting: number; readonly retrying: number; readonly later: number };
  readonly failed_since: string;
  readonly failed: readonly FailedTask[];
  /** How many more tasks have failed. */
  readonly more_failed: number;
  /** Tasks that have not succeeded for longer than they should. */
  readonly overdue: readonly Task[];
  readonly next: readonly NextRun[];
}

export async function readStatus(client: AnyClient, nowMs: number): Promise<Status> {
  const failedSince = startOfYesterday(nowMs);
  const until = new Date(nowMs + nextSpanMs).toISOString();
  const [manifest, holds, queued, failures, overdue, agenda, running] = await Promise.all([
    client.manifest.get(),
    listHolds(client),
    client.runs.list({ state: "queued", limit: listMax }),
    client.runs.failures({ since: failedSince, limit: failedTasksMax }),
    client.tasks.list({ overdue: true, limit: overdueMax }),
    client.schedules.agenda({ collapse: true, limit: nextShown, until }),
    readRunning(client),
  ]);
  const skippedOf = await readSkipped(client, holds);
  return {
    daemon: { display_name: manifest.display_name, version: manifest.product_version },
    holds,
    running,
    queued: countQueued(queued.runs, nowMs),
    failed_since: failedSince,
    failed: failures.tasks.map((task) => ({
      run: task.last,
      failures: task.failures,
      has_recovered: task.has_recovered,
    })),
    more_failed: failures.task_count - failures.tasks.length,
    overdue: overdue.tasks,
    next: agenda.entries.map((entry) => ({ ...entry, is_skipped: skippedOf(entry) !== null })),
  };
}

function startOfYesterday(nowMs: number): string {
  const now = new Date(nowMs);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).toISOString();
}

/** The active runs, the longest running first. */
export async function readRunning(client: AnyClient): Promise<readonly RunningRun[]> {
  const runs = await listActiveRuns(client);
  const durations = new Map<string, Promise<number | null>>();
  for (const { task_id } of runs)
    if (!durations.has(task_id)) durations.set(task_id, readUsualDuration(client, task_id));
  const startOf = (run: Run): string => run.started_at ?? run.queued_at;
  const sorted = runs.toSorted((one, other) => (startOf(one) < startOf(other) ? -1 : 1));
  return Promise.all(sorted.map(async (run) => ({ run, usual_ms: (await durations.get(run.task_id)) ?? null })));
}

async function readUsualDuration(client: AnyClient, taskId: string): Promise<number | null> {
  return (await findTask(client, taskId))?.usual_duration_ms ?? null;
}

/** A run may outlive its task. */
async function findTask(client: AnyClient, taskId: string): Promise<Task | null> {
  try {
    return await client.tasks.get(taskId);
  } catch (error) {
    if (isApiError(error, "not_found")) return null;
    throw error;
  }
}

function countQueued(runs: readonly Run[], nowMs: number): Status["queued"] {
  const retrying = runs.filter(({ attempt }) => attempt > 0).length;
  const later = runs.filter(({ attempt, scheduled_for: at }) => attempt === 0 && Date.parse(at) > nowMs).length;
  return { waiting: runs.length - retrying - later, retrying, later };
}
