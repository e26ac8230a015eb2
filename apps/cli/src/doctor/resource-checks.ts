import type { Client, FilesystemWatcher, Run, Schedule, Task } from "@belfry/client";
import { findableBy } from "../find/find.ts";
import { readSkipped } from "../find/held-tasks.ts";
import { listHolds } from "../find/hold.ts";
import { fullPathOfTask, pathOfTask } from "../find/task.ts";
import { gather } from "../gather.ts";
import { asWritten } from "../output/hints.ts";
import { formatLocal } from "../output/time.ts";
import { failuresText } from "../views/channel.ts";
import { taskState } from "../views/task-glance.ts";
import { listUnplanned } from "../views/unplanned.ts";
import { healthText } from "../views/watcher.ts";
import type { Finding } from "./finding.ts";

const namedMax = 5;

/** Tasks that should be able to run and cannot, or have not succeeded in time. A disabled task is intended. */
export async function checkTasks(client: Client): Promise<Finding> {
  const tasks = await gather(client.tasks.list({ limit: 1000 }));
  const stuck = tasks.filter(
    (task) => task.readiness !== "ready" && task.reason !== "held" && task.enabled && task.lifecycle === "active",
  );
  const overdue = tasks.filter((task) => task.overdue);
  const problems = [
    ...(stuck.length === 0
      ? []
      : [`cannot start: ${listSome(stuck.map((task) => `${pathOfTask(task)} (${taskState(task)})`))}`]),
    ...(overdue.length === 0 ? [] : [`overdue without a success: ${listSome(overdue.map(pathOfTask))}`]),
  ];
  if (problems.length > 0) return { subject: "tasks", level: "warn", text: problems.join("; ") };
  return { subject: "tasks", level: "good", text: tasksText(tasks) };
}

/** `3 tasks: 2 ready, 1 disabled`. */
function tasksText(tasks: readonly Task[]): string {
  const counts = new Map<string, number>();
  for (const task of tasks) counts.set(taskState(task), (counts.get(taskState(task)) ?? 0) + 1);
  const noun = `${tasks.length} ${tasks.length === 1 ? "task" : "tasks"}`;
  const [[state] = [""]] = counts;
  if (counts.size < 2) return state === "" ? noun : `${noun}, ${tasks.length === 1 ? state : `all ${state}`}`;
  return `${noun}: ${[...counts].map(([one, count]) => `${count} ${one}`).join(", ")}`;
}

export async function checkSchedules(client: Client, nowMs: number): Promise<Finding> {
  const schedules = (await gather(client.schedules.list({ limit: 1000 }))).filter(({ enabled }) => enabled);
  const late: Schedule[] = [];
  for (const schedule of schedules) if (await isLate(client, schedule, nowMs)) late.push(schedule);
  if (late.length > 0)
    return {
      subject: "schedules",
      level: "bad",
      text: `overdue by more than one minute: ${listSome(late.map(({ task_name, name }) => `${task_name}/${name}`))}. Check the daemon's log`,
    };
  const agenda = await client.schedules.agenda({ limit: 1 });
  const unplanned = listUnplanned(agenda);
  if (unplanned.length > 0) {
    const names = listSome(unplanned.map(({ task_name, schedule_name }) => `${task_name}/${schedule_name}`));
    const text = `cannot be planned: ${names}. For the reasons, run: belfry agenda`;
    return { subject: "schedules", level: "bad", text };
  }
  // a schedule of a disabled task has a next time and no next run
  const [next] = agenda.entries;
  if (next === undefined) return { subject: "schedules", level: "good", text: `${schedules.length} enabled` };
  const skipped = (await readSkipped(client, await listHolds(client)))(next);
  const text = `${schedules.length} enabled; next run at ${formatLocal(next.at)}${skipped === null ? "" : `, ${skipped}`}`;
  return { subject: "schedules", level: "good", text };
}

const lateMs = 60_000;

/** A run is due later than its scheduled time if the schedule has jitter or a spread. */
async function isLate(client: Client, schedule: Schedule, nowMs: number): Promise<boolean> {
  const { id, next_run_at: next, jitter, spread } = schedule;
  const isBefore = (time: string): boolean => new Date(time).getTime() < nowMs - lateMs;
  if (next === null || !isBefore(next)) return false;
  if (jitter === "0s" && !spread) return true;
  const from = new Date(new Date(next).getTime() - 1).toISOString();
  const { occurrences } = await client.schedules.preview({ schedule_id: id, from, count: 1 });
  return occurrences.every(({ due_at }) => isBefore(due_at));
}

/** Checks only the newest run of each task: a failure followed by a success needs no attention. */
export async function checkRuns(client: Client, nowMs: number): Promise<Finding> {
  const since = new Date(nowMs - 86_400_000).toISOString();
  const newest = new Map<string, Run>();
  for await (const run of client.runs.list({ since, limit: 1000 })) {
    if (run.outcome !== null && !newest.has(run.task_id)) newest.set(run.task_id, run);
  }
  const failures = [...newest.values()].filter((run) => run.outcome === "failure");
  const tasks = failures.length === 0 ? [] : await gather(client.tasks.list({ limit: 1000 }));
  const known = new Map(tasks.map((task) => [task.id, task]));
  // nothing can be done about a deleted task
  const failed = failures.map(({ task_id }) => known.get(task_id)).filter((task) => task !== undefined);
  if (failed.length === 0)
    return {
      subject: "runs",
      level: "good",
      text: "no task's latest run failed in the last 24 hours",
    };
  return {
    subject: "runs",
    level: "warn",
    text: `latest run failed: ${listSome(failed.map(wordsFor(tasks)))}. Read the output with: belfry run logs <task>`,
  };
}

/** `group/name`, or the name of a task in no group; `/name` if that would not find it. */
function wordsFor(tasks: readonly Task[]): (task: Task) => string {
  const wordsOf = findableBy(tasks, fullPathOfTask);
  return (task) => (wordsOf(task).includes(pathOfTask(task)) ? pathOfTask(task) : fullPathOfTask(task));
}

/** Watchers that miss changes of some or all of their files. A disabled watcher is intended. */
export async function checkWatchers(client: Client): Promise<Finding> {
  const watchers = await gather(client.watchers.list());
  const failing = watchers.filter(({ enabled, health }) => enabled && isFailing(health.state));
  if (failing.length === 0) {
    const text = `${watchers.length} ${watchers.length === 1 ? "watcher" : "watchers"}, none failing`;
    return { subject: "watchers", level: "good", text };
  }
  const named = listSome(failing.map(({ name, health }) => `${name}: ${healthText(health)}`));
  return { subject: "watchers", level: "warn", text: named };
}

function isFailing(state: FilesystemWatcher["health"]["state"]): boolean {
  return state === "missing_path" || state === "permission_denied" || state === "degraded" || state === "error";
}

/** Channels whose deliveries fail. A disabled channel is intended. */
export async function checkChannels(client: Client): Promise<Finding> {
  const channels = await gather(client.notificationChannels.list());
  const failing = channels.filter((channel) => channel.enabled && channel.failing_since !== null);
  if (failing.length === 0) {
    const text = `${channels.length} ${channels.length === 1 ? "channel" : "channels"}, none failing`;
    return { subject: "channels", level: "good", text };
  }
  const named = listSome(failing.map((channel) => `${channel.name} (${failuresText(channel)})`));
  return {
    subject: "channels",
    level: "warn",
    text: `failing: ${named}. List the failures with: belfry delivery list --state failed`,
  };
}

function listSome(names: readonly string[]): string {
  const more = names.length - namedMax;
  return `${asWritten(names.slice(0, namedMax).join(", "))}${more > 0 ? ` and ${more} more` : ""}`;
}
