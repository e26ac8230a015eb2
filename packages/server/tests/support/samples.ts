import { type OperationById, type OperationId } from "@belfry/contract";
import type { Json } from "./harness.ts";
import {
  type Api,
  builtInActor,
  fillQueue,
  fresh,
  makeActor,
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
  makeTrigger,
  makeTriggerSet,
  makeWatcher,
  missing,
  muchLater,
} from "./api.ts";

/** One request, on resources that were created for it. */
export interface Sample {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Make = (api: Api) => Sample | Promise<Sample>;

const group =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/groups/${(await makeGroup(api)).id}${verb}` });
const task =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/tasks/${(await makeTask(api)).id}${verb}` });
const schedule =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/schedules/${(await makeSchedule(api)).id}${verb}` });
const trigger =
  (verb = "", body: object = {}): Make =>
  async (api) => ({ path: `/v1/triggers/${(await makeTrigger(api, body)).trigger.id}${verb}` });
const triggerSet =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/trigger-sets/${(await makeTriggerSet(api)).trigger_set.id}${verb}` });
/** Makes a fire of a task in this state. */
const fireAt =
  (target: object, arrange: (api: Api, made: Json) => unknown = () => {}): Make =>
  async (api) => {
    const made = await makeTrigger(api, {}, target);
    await arrange(api, made);
    return { path: "/v1/triggers/fire", body: { key: made.key } };
  };
const watcher =
  (verb = "", body: object = {}): Make =>
  async (api) => ({ path: `/v1/filesystem-watchers/${(await makeWatcher(api, body)).id}${verb}` });
const newWatcher = (target_task_id: string) => ({
  name: fresh("watcher"),
  kind: "directory",
  path: "/missing/inbox",
  pattern: "*.{csv,json}",
  recursive: true,
  debounce: "250ms",
  stability: "2s",
  max_wait: "5m",
  on_start: "ignore",
  target_task_id,
  enabled: false,
});
const chain: Make = async (api) => ({ path: `/v1/chains/${(await makeChain(api)).id}` });
const channel =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/notification-channels/${(await makeChannel(api)).id}${verb}` });
/** The assignments that `make` creates, each with a channel of its own. */
const assigned =
  (make: Make): Make =>
  async (api) => {
    const { path } = await make(api);
    const assignments = [{ channel_id: (await makeChannel(api)).id, on_success: false, on_failure: true }];
    return { path, body: { assignments } };
  };
const actor =
  (verb = ""): Make =>
  async (api) => ({ path: `/v1/access/actors/${(await makeActor(api)).id}${verb}` });
const builtIn =
  (verb = "", body?: object): Make =>
  async (api) => ({ path: `/v1/access/actors/${(await builtInActor(api)).id}${verb}`, ...(body && { body }) });
const at =
  (path: string, body?: unknown): Make =>
  () => ({ path, ...(body === undefined ? {} : { body }) });
const with_ =
  (make: Make, body: unknown): Make =>
  async (api) => ({ ...(await make(api)), body });

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

  "tasks.list": at("/v1/tasks?enabled=true&q=task"),
  "tasks.create": () => ({
    path: "/v1/tasks",
    body: {
      name: fresh("task"),
      description: "all that a task can have",
      command: { kind: "shell", script: "true" },
      working_directory: "/",
      environment: { LEVEL: "full" },
      standard_input: "yes\n",
      timeout: "90m",
      kill_grace: "0s",
      retry: { max_attempts: 3, delay: "1.5s" },
      priority: -5,
      concurrency: { limit: 2, on_conflict: "skip" },
      success_exit_codes: [3, 0, 3],
      output: { max_bytes: 4096 },
      retention: { runs: 10, age: "36h" },
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

  "runs.list": at("/v1/runs?trigger=manual"),
  "runs.get": async (api) => ({ path: `/v1/runs/${(await makeQueuedRun(api)).id}` }),
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
  "credentials.revoke": async (api) => ({
    path: `/v1/access/credentials/${(await makeCredential(api)).id}/revoke`,
  }),
  "audit.list": at("/v1/audit?result=allowed&limit=5"),
  "audit.export": at("/v1/audit/export?result=allowed&limit=5"),
  "audit.chain": at("/v1/audit/chain"),
  "idempotency.get": async (api) => {
    const key = fresh("key");
    await api.call("POST", "/v1/groups", { name: fresh("group") }, { "Idempotency-Key": key });
    return { path: `/v1/idempotency/${encodeURIComponent(key)}` };
  },
};

const newTrigger = (taskId: string) => ({ name: fresh("trigger"), target_task_id: taskId });

type Declared<I extends OperationId> = OperationById<I>["errors"][number];

/** A request for every error that an operation declares itself. Without one it does not compile. */
export const refusals: { readonly [I in OperationId]: Readonly<Record<Declared<I>, Make>> } = {
  "health.get": {},
  "manifest.get": {},
  "manifest.update": {},
  "manifest.reset": { conflict: at("/v1/manifest/reset", { confirm_installation_id: "ins_another" }) },
  "runtime_info.get": {},
  "openapi.get": {},

  "groups.list": {},
  "groups.create": {
    not_found: () => ({ path: "/v1/groups", body: { name: fresh("group"), parent_id: missing.group } }),
  },
  "groups.get": { not_found: at(`/v1/groups/${missing.group}`) },
  "groups.update": { not_found: at(`/v1/groups/${missing.group}`, { enabled: false }) },
  "groups.delete": {
    not_found: at(`/v1/groups/${missing.group}`),
    conflict: async (api) => {
      const { id } = await makeGroup(api);
      await makeTask(api, { group_id: id });
      return { path: `/v1/groups/${id}` };
    },
  },
  "groups.enable": { not_found: at(`/v1/groups/${missing.group}/enable`) },
  "groups.disable": { not_found: at(`/v1/groups/${missing.group}/disable`) },

  "tasks.list": {},
  "tasks.create": { not_found: () => ({ path: "/v1/tasks", body: { name: fresh("task"), group_id: missing.group } }) },
  "tasks.get": { not_found: at(`/v1/tasks/${missing.task}`) },
  "tasks.update": { not_found: at(`/v1/tasks/${missing.task}`, { enabled: false }) },
  "tasks.delete": {
    not_found: at(`/v1/tasks/${missing.task}`),
    conflict: async (api) => ({ path: `/v1/tasks/${(await makeQueuedRun(api)).task_id}` }),
  },
  "tasks.enable": { not_found: at(`/v1/tasks/${missing.task}/enable`) },
  "tasks.disable": { not_found: at(`/v1/tasks/${missing.task}/disable`) },
  "tasks.archive": {
    not_found: at(`/v1/tasks/${missing.task}/archive`),
    conflict: async (api) => {
      const { path } = await task("/archive")(api);
      await api.call("POST", path);
      return { path };
    },
  },
  "tasks.restore": { not_found: at(`/v1/tasks/${missing.task}/restore`), conflict: task("/restore") },
  "tasks.environment": { not_found: at(`/v1/tasks/${missing.task}/environment`) },
  "tasks.standard_input": { not_found: at(`/v1/tasks/${missing.task}/standard-input`) },
  "tasks.why": { not_found: at(`/v1/tasks/${missing.task}/why`) },
  "tasks.run": {
    not_found: at(`/v1/tasks/${missing.task}/run`, {}),
    conflict: async (api) => ({ path: `/v1/tasks/${(await makeTask(api, { enabled: false })).id}/run`, body: {} }),
  },

  "schedules.list": {},
  "schedules.create": { not_found: at("/v1/schedules", { task_id: missing.task, kind: "boot" }) },
  "schedules.preview": { not_found: at("/v1/schedules/preview", { schedule_id: missing.schedule }) },
  "schedules.get": { not_found: at(`/v1/schedules/${missing.schedule}`) },
  "schedules.update": { not_found: at(`/v1/schedules/${missing.schedule}`, { enabled: false }) },
  "schedules.delete": { not_found: at(`/v1/schedules/${missing.schedule}`) },
  "schedules.enable": { not_found: at(`/v1/schedules/${missing.schedule}/enable`) },
  "schedules.disable": { not_found: at(`/v1/schedules/${missing.schedule}/disable`) },
  "schedules.pause": { not_found: at(`/v1/schedules/${missing.schedule}/pause`, {}) },
  "schedules.resume": { not_found: at(`/v1/schedules/${missing.schedule}/resume`) },
  "schedules.agenda": {},

  "runs.list": {},
  "runs.get": { not_found: at(`/v1/runs/${missing.run}`) },
  "runs.output": { not_found: at(`/v1/runs/${missing.run}/output`) },
  "runs.cancel": {
    not_found: at(`/v1/runs/${missing.run}/cancel`),
    conflict: async (api) => {
      const { path } = await samples["runs.cancel"](api);
      await api.call("POST", path);
      return { path };
    },
  },
  "runs.rerun": {
    not_found: at(`/v1/runs/${missing.run}/rerun`),
    conflict: async (api) => {
      const run = await makeQueuedRun(api);
      await api.call("POST", `/v1/tasks/${run.task_id}/disable`);
      return { path: `/v1/runs/${run.id}/rerun` };
    },
  },

  "triggers.list": {},
  "triggers.create": { not_found: () => ({ path: "/v1/triggers", body: newTrigger(missing.task) }) },
  "triggers.fire": {
    trigger_unknown: at("/v1/triggers/fire", { key: `bfk_${"0".repeat(8)}_${"0".repeat(32)}` }),
    trigger_disabled: fireAt({}, (api, { trigger: { id } }) => api.call("POST", `/v1/triggers/${id}/disable`)),
    trigger_target_missing: fireAt({}, (api, { trigger: { target_task_id: id } }) =>
      api.call("DELETE", `/v1/tasks/${id}`),
    ),
    trigger_command_incomplete: fireAt({ command: null }),
    trigger_task_inactive: fireAt({}, (api, { trigger: { target_task_id: id } }) =>
      api.call("POST", `/v1/tasks/${id}/archive`),
    ),
    trigger_task_disabled: fireAt({ enabled: false }),
    trigger_group_blocked: async (api) => fireAt({ group_id: (await makeGroup(api, { enabled: false })).id })(api),
    trigger_dispatch_unavailable: fireAt({}, (api, { trigger: { target_task_id: id } }) => fillQueue(api, id)),
  },
  "triggers.get": { not_found: at(`/v1/triggers/${missing.trigger}`) },
  "triggers.update": {
    not_found: at(`/v1/triggers/${missing.trigger}`, { name: "x" }),
    conflict: async (api) => {
      const { trigger_set: set } = await makeTriggerSet(api);
      return { path: `/v1/triggers/${set.members[1].id}`, body: { target_task_id: (await makeTask(api)).id } };
    },
  },
  "triggers.delete": {
    not_found: at(`/v1/triggers/${missing.trigger}`),
    conflict: async (api) => {
      const { trigger_set: set } = await makeTriggerSet(api, { count: 1 });
      return { path: `/v1/triggers/${set.members[0].id}` };
    },
  },
  "triggers.enable": { not_found: at(`/v1/triggers/${missing.trigger}/enable`) },
  "triggers.disable": { not_found: at(`/v1/triggers/${missing.trigger}/disable`) },
  "triggers.rotate": { not_found: at(`/v1/triggers/${missing.trigger}/rotate`) },
  "triggers.reveal": { not_found: at(`/v1/triggers/${missing.trigger}/reveal`) },

  "trigger_sets.list": {},
  "trigger_sets.create": {
    not_found: () => ({ path: "/v1/trigger-sets", body: { ...newTrigger(missing.task), count: 2 } }),
  },
  "trigger_sets.get": { not_found: at(`/v1/trigger-sets/${missing.triggerSet}`) },
  "trigger_sets.update": { not_found: at(`/v1/trigger-sets/${missing.triggerSet}`, { name: "x" }) },
  "trigger_sets.delete": { not_found: at(`/v1/trigger-sets/${missing.triggerSet}`) },
  "trigger_sets.enable": { not_found: at(`/v1/trigger-sets/${missing.triggerSet}/enable`) },
  "trigger_sets.disable": { not_found: at(`/v1/trigger-sets/${missing.triggerSet}/disable`) },
  "trigger_sets.rotate": { not_found: at(`/v1/trigger-sets/${missing.triggerSet}/rotate`) },
  "trigger_sets.reveal": { not_found: at(`/v1/trigger-sets/${missing.triggerSet}/reveal`) },
  "watchers.list": {},
  "watchers.create": { not_found: () => ({ path: "/v1/filesystem-watchers", body: newWatcher(missing.task) }) },
  "watchers.get": { not_found: at(`/v1/filesystem-watchers/${missing.watcher}`) },
  "watchers.update": { not_found: at(`/v1/filesystem-watchers/${missing.watcher}`, { enabled: false }) },
  "watchers.delete": { not_found: at(`/v1/filesystem-watchers/${missing.watcher}`) },
  "watchers.enable": { not_found: at(`/v1/filesystem-watchers/${missing.watcher}/enable`) },
  "watchers.disable": { not_found: at(`/v1/filesystem-watchers/${missing.watcher}/disable`) },

  "chains.list": {},
  "chains.create": {
    not_found: async (api) => {
      const { id } = await makeTask(api);
      return { path: "/v1/chains", body: { source_task_id: id, target_task_id: missing.task, on_outcome: "any" } };
    },
  },
  "chains.graph": { not_found: at(`/v1/chains/graph?task_id=${missing.task}`) },
  "chains.get": { not_found: at(`/v1/chains/${missing.chain}`) },
  "chains.update": { not_found: at(`/v1/chains/${missing.chain}`, { enabled: false }) },
  "chains.delete": { not_found: at(`/v1/chains/${missing.chain}`) },
  "notification_channels.list": {},
  "notification_channels.create": {},
  "notification_channels.get": { not_found: at(`/v1/notification-channels/${missing.channel}`) },
  "notification_channels.update": {
    not_found: at(`/v1/notification-channels/${missing.channel}`, { enabled: false }),
  },
  "notification_channels.delete": { not_found: at(`/v1/notification-channels/${missing.channel}`) },
  "notification_channels.enable": { not_found: at(`/v1/notification-channels/${missing.channel}/enable`) },
  "notification_channels.disable": { not_found: at(`/v1/notification-channels/${missing.channel}/disable`) },
  "notification_channels.rotate": {
    not_found: at(`/v1/notification-channels/${missing.channel}/rotate`, { authorization: null }),
  },
  "notification_channels.test": {
    not_found: at(`/v1/notification-channels/${missing.channel}/test`),
    conflict: async (api) => ({
      path: `/v1/notification-channels/${(await makeChannel(api, { enabled: false })).id}/test`,
    }),
  },
  "notification_assignments.of_task": { not_found: at(`/v1/tasks/${missing.task}/notifications`) },
  "notification_assignments.replace_of_task": {
    not_found: with_(task("/notifications"), {
      assignments: [{ channel_id: missing.channel, on_success: true, on_failure: true }],
    }),
  },
  "notification_assignments.effective": { not_found: at(`/v1/tasks/${missing.task}/notifications/effective`) },
  "notification_assignments.of_group": { not_found: at(`/v1/groups/${missing.group}/notifications`) },
  "notification_assignments.replace_of_group": {
    not_found: at(`/v1/groups/${missing.group}/notifications`, { assignments: [] }),
  },
  "notification_deliveries.list": {},
  "notification_deliveries.get": { not_found: at(`/v1/notification-deliveries/${missing.delivery}`) },
  "notification_deliveries.redeliver": {
    not_found: at(`/v1/notification-deliveries/${missing.delivery}/redeliver`),
    conflict: async (api) => {
      const { id, channel_id: channelId } = await makeEndedDelivery(api);
      await api.call("DELETE", `/v1/notification-channels/${channelId}`);
      return { path: `/v1/notification-deliveries/${id}/redeliver` };
    },
  },

  "notification_deliveries.redeliver_failed": {
    not_found: at("/v1/notification-deliveries/redeliver", { since: muchLater, channel_id: missing.channel }),
  },

  "import.create": { not_found: at("/v1/import", { groups: [{ key: "g", name: "g", parent_id: missing.group }] }) },
  "import.get": { not_found: at(`/v1/import/${missing.import}`) },

  "events.subscribe": {},

  "actors.list": {},
  "actors.create": {},
  "actors.get": { not_found: at(`/v1/access/actors/${missing.actor}`) },
  "actors.update": {
    not_found: at(`/v1/access/actors/${missing.actor}`, { name: "x" }),
    conflict: builtIn("", { capability: "observe" }),
  },
  "actors.revoke": { not_found: at(`/v1/access/actors/${missing.actor}/revoke`), conflict: builtIn("/revoke") },
  "credentials.list": { not_found: at(`/v1/access/actors/${missing.actor}/credentials`) },
  "credentials.get": { not_found: at(`/v1/access/credentials/${missing.credential}`) },
  "credentials.revoke": { not_found: at(`/v1/access/credentials/${missing.credential}/revoke`) },
  "audit.list": {},
  "audit.export": {},
  "audit.chain": {},
  "idempotency.get": {},
};
