import { until } from "@belfry/test-kit";
import type { Harness, Json } from "../../../../packages/server/tests/support/harness.ts";

/** What the pictures point at. */
export interface Company {
  readonly task: string;
  readonly failed: string;
  readonly running: string;
  readonly trigger: string;
  readonly actor: string;
}

export interface Places {
  /** A folder that a watcher observes. */
  readonly inbox: string;
  /** A receiver of webhooks on this machine. */
  readonly hook: string;
}

const importOutput = `echo "Reading orders-2041.csv"; echo "1204 rows"; echo "Row 817: the column amount is empty" >&2; exit 3`;
const backupOutput = `for each in customers orders invoices; do echo "Saved $each"; sleep 0.4; done`;

/** Fills a daemon with the tasks of a small company, and waits until they have a history. */
export async function makeCompany({ call }: Pick<Harness, "call">, { inbox, hook }: Places): Promise<Company> {
  const make = async (path: string, body: object = {}): Promise<Json> => {
    const { status, json, text } = await call("POST", path, body);
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return json;
  };
  const group = async (name: string): Promise<string> => (await make("/v1/groups", { name })).id;
  const task = async (name: string, script: string, more: object = {}): Promise<string> =>
    (await make("/v1/tasks", { name, command: { kind: "shell", script }, ...more })).id;
  const cron = (id: string, expression: string): Promise<Json> =>
    make("/v1/schedules", { task_id: id, kind: "cron", expression, time_zone: "Europe/Berlin" });

  await make("/v1/notification-channels", { name: "On call", endpoint: hook });
  await make("/v1/notification-channels", { name: "Archive", endpoint: `${hook}/archive` });
  const [backups, reports, web] = [await group("Backups"), await group("Reports"), await group("Web")];
  const backup = await task("Back up the database", backupOutput, {
    group_id: backups,
    description: "Saves customers, orders and invoices to the second machine.",
    labels: { owner: "operations" },
    timeout: "2h",
  });
  const files = await task("Back up the files", "sleep 0.8; echo 312 files", { group_id: backups });
  const verify = await task("Restore the last backup on trial", "echo restored", { group_id: backups });
  const sales = await task("Sales of the week", "echo 38 orders", { group_id: reports });
  const stock = await task("Stock level", "echo enough", { group_id: reports });
  const certificates = await task("Renew certificates", "echo nothing to renew", { group_id: web });
  const check = await task("Check the shop", "sleep 0.2; echo 200 OK", { group_id: web });
  const deploy = await task("Deploy the shop", "echo deployed", { group_id: web });
  const orders = await task("Import orders", importOutput, { description: "Reads what the shop exports." });
  const index = await task("Rebuild the search index", "echo page 1; sleep 280");
  await cron(backup, "30 2 * * *");
  await cron(files, "0 3 * * *");
  await cron(sales, "0 7 * * mon");
  await cron(stock, "0 * * * *");
  await cron(certificates, "15 4 * * *");
  await cron(orders, "*/15 * * * *");
  const often = await make("/v1/schedules", { task_id: check, kind: "interval", every: "2s" });
  await make("/v1/chains", { source_task_id: backup, target_task_id: verify, on_outcome: "success" });
  await make("/v1/filesystem-watchers", {
    name: "Inbox of the shop",
    kind: "directory",
    path: inbox,
    pattern: "*.csv",
    target_task_id: orders,
  });
  const made = await make("/v1/triggers", { target_task_id: deploy, name: "Deploy from CI" });
  const actor = await make("/v1/access/actors", { name: "Ada", capability: "operate" });

  const ended = (id: string): Promise<unknown> =>
    until("the end of a run", async () => (await call("GET", `/v1/runs/${id}`)).json.ended_at);
  const started = await Promise.all(
    [backup, files, sales, stock, certificates, deploy].map((id) => make(`/v1/tasks/${id}/run`)),
  );
  const failed = await make(`/v1/tasks/${orders}/run`);
  const running = await make(`/v1/tasks/${index}/run`);
  await Promise.all([...started, failed].map(({ id }) => ended(id)));
  await until("some history", async () => (await call("GET", `/v1/runs?task_id=${check}`)).json.runs.length > 4);
  await call("PATCH", `/v1/schedules/${often.id}`, { every: "5m" });
  return { task: backup, failed: failed.id, running: running.id, trigger: made.id ?? made.trigger.id, actor: actor.id };
}
