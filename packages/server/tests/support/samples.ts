import { userInfo } from "node:os";
import type { OperationId } from "@belfry/contract";
import { setBrokenReference } from "./damage.ts";
import { freePlace } from "./ports.ts";
import { writeConfig } from "./remote.ts";
import {
  enableRemote,
  enrollmentOf,
  fresh,
  makeChain,
  makeChannel,
  makeCredential,
  makeEndedDelivery,
  makeReachedChannel,
  makeEndedRun,
  makeGroup,
  makeQueuedRun,
  makeSchedule,
  makeTask,
  muchLater,
} from "./api.ts";
import {
  type Make,
  group,
  task,
  schedule,
  trigger,
  triggerSet,
  fireAt,
  watcher,
  newWatcher,
  chain,
  channel,
  assigned,
  actor,
  at,
  pairing,
  with_,
} from "./sample-makers.ts";

/** A valid request for every operation. A new operation does not compile until it has one. */
export const samples: { readonly [I in OperationId]: Make } = {
  "health.get": at("/v1/health"),
  "manifest.get": at("/v1/manifest"),
  "manifest.update": () => ({ path: "/v1/manifest", body: { display_name: fresh("daemon") } }),
  "manifest.reset": async (api) => {
    const { json } = await api.call("GET", "/v1/manifest");
    return { path: "/v1/manifest/reset", body: { confirm_installation_id: json.installation_id } };
  },
  "runtime_info.get": at("/v1/runtime-info"),
  "openapi.get": at("/v1/openapi.json"),

  "groups.list": at("/v1/groups?enabled=true&q=group"),
  "groups.create": () => ({
    path: "/v1/groups",
    body: { name: fresh("group"), time_zone: "Europe/Berlin", environment: { A: "1" }, max_concurrent_runs: 2 },
  }),
  "groups.get": group(),
  "groups.update": with_(group(), { description: "what it is for", environment: { B: "2" } }),
  "groups.delete": group(),
  "groups.enable": async (api) => ({ path: `/v1/groups/${(await makeGroup(api, { enabled: false })).id}/enable` }),
  "groups.disable": group("/disable"),

  "holds.list": at("/v1/holds"),
  "holds.place": async (api) => ({
    path: "/v1/hold",
    body: { group_id: (await makeGroup(api)).id, until: "2100-01-01T00:00:00Z", reason: "an upgrade" },
  }),
  "holds.release": async (api) => {
    const { id } = await makeGroup(api);
    await api.call("POST", "/v1/hold", { group_id: id });
    return { path: "/v1/release", body: { group_id: id } };
  },

  "tasks.list": at("/v1/tasks?enabled=true&q=task"),
  "tasks.create": () => ({
    path: "/v1/tasks",
    body: {
      name: fresh("task"),
      description: "all that a task can have",
      command: { kind: "shell", script: "true" },
      run_as: userInfo().username,
      working_directory: "/",
      environment: { LEVEL: "full" },
      standard_input: "yes\n",
      timeout: "90m",
      kill_grace: "0s",
      leftovers: "kill",
      retry: { max_attempts: 3, delay: "1.5s" },
      on_lost: "retry",
      expect_success_within: "26h",
      priority: -5,
      concurrency: { limit: 2, key: "disk", on_conflict: "skip" },
      success_exit_codes: [3, 0, 3],
      output: { max_bytes: 4096 },
      retention: { runs: 10, age: "36h", bytes: 65_536 },
      labels: { team: "ops", "app/part": "" },
    },
  }),
  "tasks.get": task(),
  "tasks.update": with_(task(), { timeout: "30m", labels: { a: "b" } }),
  "tasks.delete": task(),
  "tasks.enable": async (api) => ({ path: `/v1/tasks/${(await makeTask(api, { enabled: false })).id}/enable` }),
  "tasks.disable": task("/disable"),
  "tasks.archive": task("/archive"),
  "tasks.restore": async (api) => {
    const { id } = await makeTask(api);
    await api.call("POST", `/v1/tasks/${id}/archive`);
    return { path: `/v1/tasks/${id}/restore` };
  },
  "tasks.environment": async (api) => ({
    path: `/v1/tasks/${(await makeTask(api, { environment: { A: "1" } })).id}/environment`,
  }),
  "tasks.standard_input": task("/standard-input"),
  "tasks.why": async (api) => ({ path: `/v1/tasks/${(await makeSchedule(api)).task_id}/why` }),
  "tasks.run": with_(task("/run"), { scheduled_for: muchLater }),

  "schedules.list": at("/v1/schedules?enabled=true"),
  "schedules.create": async (api) => ({
    path: "/v1/schedules",
    body: {
      task_id: (await makeTask(api)).id,
      kind: "cron",
      expression: "30 2 1 1 *",
      time_zone: "America/New_York",
      jitter: "5m",
      spread: true,
      misfire: { policy: "run_all" },
      dst: { overlap: "both" },
      starts_at: "2026-01-01T00:00:00+02:00",
    },
  }),
  "schedules.preview": at("/v1/schedules/preview", { draft: { kind: "cron", expression: "30 2 * * *" }, count: 3 }),
  "schedules.get": schedule(),
  "schedules.update": with_(schedule(), { expression: "30 3 * * 1-5" }),
  "schedules.delete": schedule(),
  "schedules.enable": async (api) => ({
    path: `/v1/schedules/${(await makeSchedule(api, { enabled: false })).id}/enable`,
  }),
  "schedules.disable": schedule("/disable"),
  "schedules.pause": with_(schedule("/pause"), { until: muchLater }),
  "schedules.resume": async (api) => {
    const { id } = await makeSchedule(api);
    await api.call("POST", `/v1/schedules/${id}/pause`);
    return { path: `/v1/schedules/${id}/resume` };
  },
  "schedules.agenda": at("/v1/agenda?limit=10"),

  "timeline.get": at("/v1/timeline?from=2026-03-01T00:00:00Z&until=2026-03-02T00:00:00Z"),

  "runs.list": at("/v1/runs?trigger=manual"),
  "runs.get": async (api) => ({ path: `/v1/runs/${(await makeQueuedRun(api)).id}` }),
  "runs.attempts": async (api) => ({ path: `/v1/runs/${(await makeQueuedRun(api)).id}/attempts` }),
  "runs.failures": at("/v1/failures?since=2026-03-01T00:00:00Z"),
  "runs.output": async (api) => ({ path: `/v1/runs/${(await makeEndedRun(api)).id}/output` }),
  "runs.cancel": async (api) => ({ path: `/v1/runs/${(await makeQueuedRun(api)).id}/cancel` }),
  "runs.rerun": async (api) => ({ path: `/v1/runs/${(await makeQueuedRun(api)).id}/rerun` }),

  "triggers.list": at("/v1/triggers?enabled=true&q=trigger"),
  "triggers.create": async (api) => ({
    path: "/v1/triggers",
    body: { name: fresh("trigger"), target_task_id: (await makeTask(api)).id, enabled: false },
  }),
  "triggers.fire": fireAt({}),
  "triggers.get": trigger(),
  "triggers.update": async (api) => ({
    path: (await trigger()(api)).path,
    body: { name: fresh("renamed"), target_task_id: (await makeTask(api)).id },
  }),
  "triggers.delete": trigger(),
  "triggers.enable": trigger("/enable", { enabled: false }),
  "triggers.disable": trigger("/disable"),
  "triggers.rotate": trigger("/rotate"),
  "triggers.reveal": trigger("/reveal"),

  "trigger_sets.list": at("/v1/trigger-sets?q=set"),
  "trigger_sets.create": async (api) => ({
    path: "/v1/trigger-sets",
    body: {
      name: fresh("set"),
      target_task_id: (await makeTask(api)).id,
      member_names: [fresh("one"), fresh("other")],
    },
  }),
  "trigger_sets.get": triggerSet(),
  "trigger_sets.update": async (api) => ({
    path: (await triggerSet()(api)).path,
    body: { target_task_id: (await makeTask(api)).id },
  }),
  "trigger_sets.delete": triggerSet(),
  "trigger_sets.enable": async (api) => {
    const { path } = await triggerSet()(api);
    await api.call("POST", `${path}/disable`);
    return { path: `${path}/enable` };
  },
  "trigger_sets.disable": triggerSet("/disable"),
  "trigger_sets.rotate": triggerSet("/rotate"),
  "trigger_sets.reveal": triggerSet("/reveal"),
  "watchers.list": at("/v1/filesystem-watchers?enabled=true&q=watcher"),
  "watchers.create": async (api) => ({
    path: "/v1/filesystem-watchers",
    body: newWatcher((await makeTask(api)).id),
  }),
  "watchers.get": watcher(),
  "watchers.update": with_(watcher(), { kind: "file", path: "/missing/file", pattern: null, debounce: "2s" }),
  "watchers.delete": watcher(),
  "watchers.enable": watcher("/enable", { enabled: false }),
  "watchers.disable": watcher("/disable"),

  "chains.list": async (api) => ({ path: `/v1/chains?source_task_id=${(await makeChain(api)).source_task_id}` }),
  "chains.create": async (api) => ({
    path: "/v1/chains",
    body: {
      source_task_id: (await makeTask(api)).id,
      target_task_id: (await makeTask(api)).id,
      on_outcome: "failure",
      enabled: false,
      delay: "1.5m",
    },
  }),
  "chains.graph": async (api) => ({ path: `/v1/chains/graph?task_id=${(await makeChain(api)).target_task_id}` }),
  "chains.get": chain,
  "chains.update": with_(chain, { on_outcome: "any", enabled: false, delay: "90s" }),
  "chains.delete": chain,
  "notification_channels.list": at("/v1/notification-channels?q=channel"),
  "notification_channels.create": () => ({
    path: "/v1/notification-channels",
    body: {
      name: fresh("channel"),
      endpoint: "https://hooks.example.com:8443/services/42?key=value",
      authorization: "Bearer open sesame",
      signing_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      enabled: false,
    },
  }),
  "notification_channels.get": channel(),
  "notification_channels.update": with_(channel(), { endpoint: "https://[2001:db8::1]/elsewhere", enabled: false }),
  "notification_channels.delete": channel(),
  "notification_channels.enable": async (api) => ({
    path: `/v1/notification-channels/${(await makeChannel(api, { enabled: false })).id}/enable`,
  }),
  "notification_channels.disable": channel("/disable"),
  "notification_channels.rotate": with_(channel("/rotate"), { authorization: "Basic x", signing_secret: null }),
  "notification_channels.test": async (api) => ({
    path: `/v1/notification-channels/${(await makeReachedChannel(api)).id}/test`,
  }),
  "notification_assignments.of_task": task("/notifications"),
  "notification_assignments.replace_of_task": assigned(task("/notifications")),
  "notification_assignments.effective": task("/notifications/effective"),
  "notification_assignments.of_group": group("/notifications"),
  "notification_assignments.replace_of_group": assigned(group("/notifications")),
  "notification_assignments.of_channel": channel("/assignments"),
  "notification_deliveries.list": at("/v1/notification-deliveries?state=failed"),
  "notification_deliveries.get": async (api) => ({
    path: `/v1/notification-deliveries/${(await makeEndedDelivery(api)).id}`,
  }),
  "notification_deliveries.redeliver": async (api) => ({
    path: `/v1/notification-deliveries/${(await makeEndedDelivery(api)).id}/redeliver`,
  }),
  "notification_deliveries.redeliver_failed": async (api) => ({
    path: "/v1/notification-deliveries/redeliver",
    body: { since: "2026-11-21T02:00:00+01:00", channel_id: (await makeChannel(api)).id },
  }),

  "import.create": () => ({
    path: "/v1/import",
    body: {
      groups: [{ key: "g", name: fresh("group") }],
      tasks: [{ key: "t", group_key: "g", name: fresh("task"), command: { kind: "shell", script: "true" } }],
      schedules: [{ key: "s", task_key: "t", kind: "cron", expression: "0 3 1 1 *" }],
    },
  }),
  "import.get": async (api) => {
    const { json } = await api.call("POST", "/v1/import", { tasks: [{ key: "t", name: fresh("task") }] });
    return { path: `/v1/import/${json.id}` };
  },

  "events.subscribe": at("/v1/events?kinds=task,run"),

  "actors.list": at("/v1/access/actors?state=active&q=actor"),
  "actors.create": () => ({
    path: "/v1/access/actors",
    body: { name: fresh("actor"), capability: "observe", expires_at: muchLater },
  }),
  "actors.get": actor(),
  "actors.update": with_(actor(), { capability: "operate", state: "disabled", expires_at: muchLater }),
  "actors.revoke": actor("/revoke"),
  "credentials.list": async (api) => {
    const { actor_id } = await makeCredential(api);
    return { path: `/v1/access/actors/${actor_id}/credentials` };
  },
  "credentials.get": async (api) => ({ path: `/v1/access/credentials/${(await makeCredential(api)).id}` }),
  "remote.get": at("/v1/remote"),
  "remote.enable": async (api) => {
    const place = await freePlace();
    // a call without a body takes the place of the file; another daemon of this machine may have the default port
    writeConfig(api, `[remote]\nhost = "${place.host}"\nport = ${place.port}\n`);
    return { path: "/v1/remote/enable", body: place };
  },
  "remote.disable": (api) => {
    writeConfig(api, "");
    return { path: "/v1/remote/disable" };
  },
  "remote.renew": async (api) => {
    writeConfig(api, "");
    await api.call("POST", "/v1/remote/enable", await freePlace());
    return { path: "/v1/remote/renew", body: { root: true } };
  },
  "credentials.revoke": async (api) => ({
    path: `/v1/access/credentials/${(await makeCredential(api)).id}/revoke`,
  }),
  "pairings.create": async (api) => {
    await enableRemote(api);
    return {
      path: "/v1/access/pairings",
      body: { name: fresh("client"), capability: "operate", kind: "desktop", expires_in: "90s" },
    };
  },
  "pairings.list": at("/v1/access/pairings?state=open"),
  "pairings.get": pairing(),
  "pairings.delete": pairing(),
  "access.current": at("/v1/access/current"),
  "access.enroll": async (api) => ({
    path: "/api/v1/enroll",
    body: { ...(await enrollmentOf(api)), display_name: "laptop", kind: "json" },
  }),
  "audit.list": at("/v1/audit?result=allowed&limit=5"),
  "backups.create": ({ dataDir }) => {
    setBrokenReference(dataDir, false);
    return { path: "/v1/backup", body: { output: true } };
  },
  "audit.export": at("/v1/audit/export?result=allowed&limit=5"),
  "audit.chain": at("/v1/audit/chain"),
  "idempotency.get": async (api) => {
    const key = fresh("key");
    await api.call("POST", "/v1/groups", { name: fresh("group") }, { "Idempotency-Key": key });
    return { path: `/v1/idempotency/${encodeURIComponent(key)}` };
  },
};
