import { until } from "@belfry/test-kit";
import type { Harness, Json } from "../../../../packages/server/tests/support/harness.ts";
import type { Receiver } from "../../../../packages/server/tests/support/receiver.ts";

/** What the pictures of resources point at. */
export interface Resources {
  readonly task: string;
  readonly trigger: string;
  readonly actor: string;
  readonly revoked: string;
}

export interface ResourcePlaces {
  /** A folder that a watcher observes. */
  readonly inbox: string;
  readonly receiver: Receiver;
}

/** Gives a daemon triggers, watchers, channels with their deliveries, and actors, of which some are in trouble. */
export async function makeResources(
  { call }: Pick<Harness, "call">,
  { inbox, receiver }: ResourcePlaces,
): Promise<Resources> {
  const make = async (path: string, body: object = {}, method: "POST" | "PUT" = "POST"): Promise<Json> => {
    const { status, json, text } = await call(method, path, body);
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return json;
  };
  const task = async (name: string, script: string): Promise<string> =>
    (await make("/v1/tasks", { name, command: { kind: "shell", script } })).id;
  const [deploy, orders, catalogue] = [
    await task("Deploy the shop", "echo deployed"),
    await task("Import orders", 'echo "Row 817: the column amount is empty" >&2; exit 3'),
    await task("Rebuild the catalogue of all products and their variants", "echo rebuilt"),
  ];

  const trigger = await make("/v1/triggers", { target_task_id: deploy, name: "Deploy from CI" });
  const release = await make("/v1/triggers", { target_task_id: catalogue, name: "Release manager of the web shop" });
  await make("/v1/triggers", { target_task_id: orders, name: "Partner portal" });
  for (let times = 0; times < 3; times += 1) await make("/v1/triggers/fire", { key: trigger.key });
  await make(`/v1/triggers/${release.trigger.id}/disable`);

  const watch = (name: string, path: string, target: string): Promise<Json> =>
    make("/v1/filesystem-watchers", { name, kind: "directory", path, pattern: "*.csv", target_task_id: target });
  await watch("Inbox of the shop", inbox, orders);
  await watch("Returns", `${inbox}/returns/of/this/season/that/nobody/has/made/yet`, orders);
  const products = await watch("Products", "/srv/products", catalogue);
  await make(`/v1/filesystem-watchers/${products.id}/disable`);

  const at = `http://127.0.0.1:${receiver.port}`;
  const channel = (name: string, path: string): Promise<Json> =>
    make("/v1/notification-channels", { name, endpoint: `${at}/${path}`, signing_secret: `whsec_${"QUJD".repeat(8)}` });
  const [onCall, status, archive] = [
    await channel("On call", "hook"),
    await channel("Status page", "status"),
    await channel("Archive", "archive"),
  ];
  receiver.behave(({ url }, response) => {
    response.writeHead(url === "/status" ? 503 : url === "/archive" ? 410 : 204).end();
  });
  const assignments = [onCall, status].map(({ id }) => ({ channel_id: id, on_failure: true, on_success: false }));
  await make(`/v1/tasks/${orders}/notifications`, { assignments }, "PUT");
  await make(`/v1/tasks/${orders}/run`);
  await make(`/v1/notification-channels/${archive.id}/test`);
  const delivered = async (channelId: string): Promise<Json> =>
    (await call("GET", `/v1/notification-deliveries?channel_id=${channelId}`)).json.notification_deliveries[0];
  await until("the first failure of the status page", async () => (await delivered(status.id))?.attempt_count > 0);
  await until("the end of the test", async () => (await delivered(archive.id)).state === "failed");
  await until("the delivery to the people on call", async () => (await delivered(onCall.id))?.state === "succeeded");
  await make(`/v1/notification-channels/${archive.id}/disable`);

  const actor = (name: string, capability: string, more: object = {}): Promise<Json> =>
    make("/v1/access/actors", { name, capability, ...more });
  const ada = await actor("Ada", "operate");
  await actor("Board in the hall", "observe", { expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString() });
  const former = await actor("Build server of last year", "manage");
  await make(`/v1/access/actors/${former.id}/revoke`);
  return { task: deploy, trigger: trigger.trigger.id, actor: ada.id, revoked: former.id };
}
