import type { OperationById, OperationId } from "@belfry/contract";
import {
  builtInActor,
  enrollmentOf,
  fillQueue,
  fresh,
  makeChannel,
  makeEndedDelivery,
  makeGroup,
  makeQueuedRun,
  makeTask,
  makeTriggerSet,
  missing,
  muchLater,
} from "./api.ts";
import { type Make, task, fireAt, newWatcher, builtIn, at, with_ } from "./sample-makers.ts";
import { rewriteRows, setBrokenReference } from "./damage.ts";
import { takenPlace } from "./ports.ts";
import { writeConfig } from "./remote.ts";
import { samples } from "./samples.ts";

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

  "holds.list": {},
  "holds.place": {
    not_found: at("/v1/hold", { group_id: missing.group }),
    conflict: async (api) => {
      const { id: group_id } = await makeGroup(api);
      await api.call("POST", "/v1/hold", { group_id });
      rewriteRows(api.dataDir, "UPDATE holds SET cause = 'restored' WHERE group_id = ?", group_id);
      // the daemon reads its holds again after this change
      await api.call("POST", "/v1/hold", { group_id: (await makeGroup(api)).id });
      return { path: "/v1/hold", body: { group_id, until: "2100-01-01T00:00:00Z" } };
    },
  },
  "holds.release": {
    not_found: at("/v1/release", { group_id: missing.group }),
    conflict: async (api) => ({ path: "/v1/release", body: { group_id: (await makeGroup(api)).id } }),
  },

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

  "timeline.get": {},

  "runs.list": {},
  "runs.get": { not_found: at(`/v1/runs/${missing.run}`) },
  "runs.attempts": { not_found: at(`/v1/runs/${missing.run}/attempts`) },
  "runs.failures": {},
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
  "notification_assignments.of_channel": { not_found: at(`/v1/notification-channels/${missing.channel}/assignments`) },
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
  "pairings.create": {
    not_found: at("/v1/access/pairings", { actor_id: missing.actor }),
    conflict: async (api) => ({ path: "/v1/access/pairings", body: { actor_id: (await builtInActor(api)).id } }),
  },
  "pairings.list": {},
  "pairings.get": { not_found: at(`/v1/access/pairings/${missing.pairing}`) },
  "pairings.delete": { not_found: at(`/v1/access/pairings/${missing.pairing}`) },
  "access.current": {},
  "access.enroll": {
    unauthorized: async (api) => ({ path: "/api/v1/enroll", body: { ...(await enrollmentOf(api)), phrase: "wrong" } }),
    conflict: async (api) => ({
      path: "/api/v1/enroll",
      body: { ...(await enrollmentOf(api)), daemon_id: "ins_another" },
    }),
  },
  "remote.get": {},
  "remote.enable": { conflict: async () => ({ path: "/v1/remote/enable", body: await takenPlace() }) },
  "remote.disable": {
    conflict: (api) => {
      writeConfig(api, "remote = { port = 7443 }\n");
      return { path: "/v1/remote/disable" };
    },
  },
  "remote.renew": {
    conflict: async (api) => {
      writeConfig(api, "");
      await api.call("POST", "/v1/remote/disable");
      return { path: "/v1/remote/renew" };
    },
  },
  "audit.list": {},
  "backups.create": {
    conflict: ({ dataDir }) => {
      setBrokenReference(dataDir, true);
      return { path: "/v1/backup" };
    },
  },
  "audit.export": {},
  "audit.chain": {},
  "idempotency.get": {},
};
