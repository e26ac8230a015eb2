import type { OperationId } from "@belfry/contract";
import type { CallOptions, Client } from "../src/index.ts";

const id = "tsk_4fzH1TqWb8YkV0c2LxNd";
const other = "tsk_9sGm2RvXe7PuQ1bKjZtA";

type JsonId = Exclude<OperationId, "runs.output" | "events.subscribe">;

/** One call of every method with a single answer, by operation. */
export const everyMethod: {
  readonly [I in JsonId]: (client: Client, options?: CallOptions) => PromiseLike<unknown>;
} = {
  "health.get": (client, options) => client.health.get(options),
  "manifest.get": (client, options) => client.manifest.get(options),
  "manifest.update": (client, options) => client.manifest.update({ display_name: "Attic" }, options),
  "manifest.reset": (client, options) => client.manifest.reset("ins_4fzH1TqWb8YkV0c2LxNd", options),
  "runtime_info.get": (client, options) => client.runtimeInfo.get(options),
  "openapi.get": (client, options) => client.openapi.get(options),
  "groups.list": (client, options) => client.groups.list({}, options),
  "groups.create": (client, options) => client.groups.create({ name: "Backups" }, options),
  "groups.get": (client, options) => client.groups.get(id, options),
  "groups.update": (client, options) => client.groups.update(id, { name: "Copies" }, options),
  "groups.delete": (client, options) => client.groups.delete(id, options),
  "groups.enable": (client, options) => client.groups.enable(id, options),
  "groups.disable": (client, options) => client.groups.disable(id, options),
  "tasks.list": (client, options) => client.tasks.list({}, options),
  "tasks.create": (client, options) => client.tasks.create({ name: "Nightly" }, options),
  "tasks.get": (client, options) => client.tasks.get(id, options),
  "tasks.update": (client, options) => client.tasks.update(id, { timeout: "30m" }, options),
  "tasks.delete": (client, options) => client.tasks.delete(id, options),
  "tasks.enable": (client, options) => client.tasks.enable(id, options),
  "tasks.disable": (client, options) => client.tasks.disable(id, options),
  "tasks.archive": (client, options) => client.tasks.archive(id, options),
  "tasks.restore": (client, options) => client.tasks.restore(id, options),
  "tasks.environment": (client, options) => client.tasks.environment(id, options),
  "tasks.standard_input": (client, options) => client.tasks.standardInput(id, options),
  "tasks.run": (client, options) => client.tasks.run(id, {}, options),
  "tasks.why": (client, options) => client.tasks.why(id, {}, options),
  "schedules.list": (client, options) => client.schedules.list({}, options),
  "schedules.create": (client, options) =>
    client.schedules.create({ task_id: id, kind: "interval", every: "1h" }, options),
  "schedules.preview": (client, options) => client.schedules.preview({ schedule_id: id }, options),
  "schedules.get": (client, options) => client.schedules.get(id, options),
  "schedules.update": (client, options) => client.schedules.update(id, { every: "2h" }, options),
  "schedules.delete": (client, options) => client.schedules.delete(id, options),
  "schedules.enable": (client, options) => client.schedules.enable(id, options),
  "schedules.disable": (client, options) => client.schedules.disable(id, options),
  "schedules.pause": (client, options) => client.schedules.pause(id, {}, options),
  "schedules.resume": (client, options) => client.schedules.resume(id, options),
  "schedules.agenda": (client, options) => client.schedules.agenda({}, options),
  "runs.list": (client, options) => client.runs.list({}, options),
  "runs.get": (client, options) => client.runs.get(id, options),
  "runs.cancel": (client, options) => client.runs.cancel(id, options),
  "runs.rerun": (client, options) => client.runs.rerun(id, options),
  "triggers.list": (client, options) => client.triggers.list({}, options),
  "triggers.create": (client, options) => client.triggers.create({ name: "Deploy", target_task_id: id }, options),
  "triggers.fire": (client, options) => client.triggers.fire("bfk_00000000_0", options),
  "triggers.get": (client, options) => client.triggers.get(id, options),
  "triggers.update": (client, options) => client.triggers.update(id, { name: "Copies" }, options),
  "triggers.delete": (client, options) => client.triggers.delete(id, options),
  "triggers.enable": (client, options) => client.triggers.enable(id, options),
  "triggers.disable": (client, options) => client.triggers.disable(id, options),
  "triggers.rotate": (client, options) => client.triggers.rotate(id, options),
  "triggers.reveal": (client, options) => client.triggers.reveal(id, options),
  "trigger_sets.list": (client, options) => client.triggerSets.list({}, options),
  "trigger_sets.create": (client, options) =>
    client.triggerSets.create({ name: "Agents", target_task_id: id, count: 3 }, options),
  "trigger_sets.get": (client, options) => client.triggerSets.get(id, options),
  "trigger_sets.update": (client, options) => client.triggerSets.update(id, { name: "Copies" }, options),
  "trigger_sets.delete": (client, options) => client.triggerSets.delete(id, options),
  "trigger_sets.enable": (client, options) => client.triggerSets.enable(id, options),
  "trigger_sets.disable": (client, options) => client.triggerSets.disable(id, options),
  "trigger_sets.rotate": (client, options) => client.triggerSets.rotate(id, options),
  "trigger_sets.reveal": (client, options) => client.triggerSets.reveal(id, options),
  "watchers.list": (client, options) => client.watchers.list({}, options),
  "watchers.create": (client, options) =>
    client.watchers.create({ name: "Inbox", kind: "directory", path: "/srv/inbox", target_task_id: id }, options),
  "watchers.get": (client, options) => client.watchers.get(id, options),
  "watchers.update": (client, options) => client.watchers.update(id, { debounce: "2s" }, options),
  "watchers.delete": (client, options) => client.watchers.delete(id, options),
  "watchers.enable": (client, options) => client.watchers.enable(id, options),
  "watchers.disable": (client, options) => client.watchers.disable(id, options),
  "chains.list": (client, options) => client.chains.list({}, options),
  "chains.create": (client, options) =>
    client.chains.create({ source_task_id: id, target_task_id: other, on_outcome: "success" }, options),
  "chains.graph": (client, options) => client.chains.graph({}, options),
  "chains.get": (client, options) => client.chains.get(id, options),
  "chains.update": (client, options) => client.chains.update(id, { delay: "5m" }, options),
  "chains.delete": (client, options) => client.chains.delete(id, options),
  "notification_channels.list": (client, options) => client.notificationChannels.list({}, options),
  "notification_channels.create": (client, options) =>
    client.notificationChannels.create({ name: "On call", endpoint: "https://hooks.example.com/42" }, options),
  "notification_channels.get": (client, options) => client.notificationChannels.get(id, options),
  "notification_channels.update": (client, options) =>
    client.notificationChannels.update(id, { name: "Day shift" }, options),
  "notification_channels.delete": (client, options) => client.notificationChannels.delete(id, options),
  "notification_channels.enable": (client, options) => client.notificationChannels.enable(id, options),
  "notification_channels.disable": (client, options) => client.notificationChannels.disable(id, options),
  "notification_channels.rotate": (client, options) =>
    client.notificationChannels.rotate(id, { authorization: null }, options),
  "notification_channels.test": (client, options) => client.notificationChannels.test(id, options),
  "notification_assignments.of_task": (client, options) => client.notificationAssignments.ofTask(id, options),
  "notification_assignments.replace_of_task": (client, options) =>
    client.notificationAssignments.replaceOfTask(id, { assignments: [] }, options),
  "notification_assignments.effective": (client, options) => client.notificationAssignments.effective(id, options),
  "notification_assignments.of_group": (client, options) => client.notificationAssignments.ofGroup(id, options),
  "notification_assignments.replace_of_group": (client, options) =>
    client.notificationAssignments.replaceOfGroup(id, { assignments: [] }, options),
  "notification_deliveries.list": (client, options) => client.notificationDeliveries.list({}, options),
  "notification_deliveries.get": (client, options) => client.notificationDeliveries.get(id, options),
  "notification_deliveries.redeliver": (client, options) => client.notificationDeliveries.redeliver(id, options),
  "notification_deliveries.redeliver_failed": (client, options) =>
    client.notificationDeliveries.redeliverFailed({ since: "2026-11-21T02:00:00Z" }, options),
  "import.create": (client, options) => client.import.create({ groups: [{ key: "g", name: "Backups" }] }, options),
  "import.get": (client, options) => client.import.get(id, options),
  "audit.list": (client, options) => client.audit.list({}, options),
  "idempotency.get": (client, options) => client.idempotency.get("key", options),
};
