import { until } from "@belfry/test-kit";
import { type Harness, type Json, startDaemon } from "../../../../packages/server/tests/support/harness.ts";
import { makeTasks } from "./company-tasks.ts";
import { simulateWeek } from "./simulated-week.ts";

/** What the pictures point at. */
export interface Company {
  readonly task: string;
  readonly failed: string;
  readonly running: string;
  readonly queued: string;
  readonly trigger: string;
  readonly actor: string;
}

export interface Places {
  /** Where the daemon keeps its data. */
  readonly data: string;
  /** A folder that a watcher observes. */
  readonly inbox: string;
  /** A receiver of webhooks on this machine. */
  readonly hook: string;
}

/** Starts a daemon with a week of a small company behind it, in which one run has just failed and another goes on. */
export async function startCompany({ data, inbox, hook }: Places): Promise<Harness & { readonly company: Company }> {
  const tasks = await simulateWeek(data, makeTasks);
  const daemon = await startDaemon({ dataDir: data, config: { zone: "Europe/Berlin" } });
  const make = async (path: string, body: object = {}): Promise<Json> => {
    const { status, json, text } = await daemon.call("POST", path, body);
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return json;
  };
  await make("/v1/notification-channels", { name: "On call", endpoint: hook });
  await make("/v1/notification-channels", { name: "Archive", endpoint: `${hook}/archive` });
  await make("/v1/filesystem-watchers", {
    name: "Inbox of the shop",
    kind: "directory",
    path: inbox,
    pattern: "*.csv",
    target_task_id: tasks.orders,
  });
  const made = await make("/v1/triggers", { target_task_id: tasks.deploy, name: "Deploy from CI" });
  const actor = await make("/v1/access/actors", { name: "Ada", capability: "operate" });
  const running = await make(`/v1/tasks/${tasks.index}/run`);
  // waits, because one run of the task is the limit
  const queued = await make(`/v1/tasks/${tasks.index}/run`);
  const failed = await make(`/v1/tasks/${tasks.orders}/run`);
  await until("the end of a run", async () => (await daemon.call("GET", `/v1/runs/${failed.id}`)).json.ended_at);
  return {
    ...daemon,
    company: {
      task: tasks.backup,
      failed: failed.id,
      running: running.id,
      queued: queued.id,
      trigger: made.id ?? made.trigger.id,
      actor: actor.id,
    },
  };
}
