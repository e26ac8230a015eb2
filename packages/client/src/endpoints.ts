import type { Operation, OperationById, OperationId } from "@belfry/contract";

/** Where an operation is served. `keyed`: an `Idempotency-Key` goes with it, so that a lost answer can be settled. */
export interface Endpoint extends Pick<Operation, "method" | "path" | "kind"> {
  readonly keyed?: true;
}

type EndpointOf<O extends Operation> = Pick<O, "method" | "path" | "kind"> &
  (O extends { readonly replayedBy: string } ? { readonly keyed: true } : { readonly keyed?: never });

/**
 * The addresses of all operations. The contract's descriptors carry schemas, which a client does not need at run time;
 * so this table repeats the little it does need, and does not compile where it differs from them.
 */
export const endpoints = {
  "health.get": { method: "get", path: "/health", kind: "read" },
  "manifest.get": { method: "get", path: "/manifest", kind: "read" },
  "manifest.update": { method: "patch", path: "/manifest", kind: "write" },
  "manifest.reset": { method: "post", path: "/manifest/reset", kind: "write" },
  "runtime_info.get": { method: "get", path: "/runtime-info", kind: "read" },
  "openapi.get": { method: "get", path: "/openapi.json", kind: "read" },
  "groups.list": { method: "get", path: "/groups", kind: "read" },
  "groups.create": { method: "post", path: "/groups", kind: "write", keyed: true },
  "groups.get": { method: "get", path: "/groups/{id}", kind: "read" },
  "groups.update": { method: "patch", path: "/groups/{id}", kind: "write" },
  "groups.delete": { method: "delete", path: "/groups/{id}", kind: "write" },
  "groups.enable": { method: "post", path: "/groups/{id}/enable", kind: "write" },
  "groups.disable": { method: "post", path: "/groups/{id}/disable", kind: "write" },
  "tasks.list": { method: "get", path: "/tasks", kind: "read" },
  "tasks.create": { method: "post", path: "/tasks", kind: "write", keyed: true },
  "tasks.get": { method: "get", path: "/tasks/{id}", kind: "read" },
  "tasks.update": { method: "patch", path: "/tasks/{id}", kind: "write" },
  "tasks.delete": { method: "delete", path: "/tasks/{id}", kind: "write" },
  "tasks.enable": { method: "post", path: "/tasks/{id}/enable", kind: "write" },
  "tasks.disable": { method: "post", path: "/tasks/{id}/disable", kind: "write" },
  "tasks.archive": { method: "post", path: "/tasks/{id}/archive", kind: "write" },
  "tasks.restore": { method: "post", path: "/tasks/{id}/restore", kind: "write" },
  "tasks.environment": { method: "get", path: "/tasks/{id}/environment", kind: "read" },
  "tasks.standard_input": { method: "get", path: "/tasks/{id}/standard-input", kind: "read" },
  "tasks.run": { method: "post", path: "/tasks/{id}/run", kind: "write", keyed: true },
  "tasks.why": { method: "get", path: "/tasks/{id}/why", kind: "read" },
  "schedules.list": { method: "get", path: "/schedules", kind: "read" },
  "schedules.create": { method: "post", path: "/schedules", kind: "write", keyed: true },
  "schedules.preview": { method: "post", path: "/schedules/preview", kind: "read" },
  "schedules.get": { method: "get", path: "/schedules/{id}", kind: "read" },
  "schedules.update": { method: "patch", path: "/schedules/{id}", kind: "write" },
  "schedules.delete": { method: "delete", path: "/schedules/{id}", kind: "write" },
  "schedules.enable": { method: "post", path: "/schedules/{id}/enable", kind: "write" },
  "schedules.disable": { method: "post", path: "/schedules/{id}/disable", kind: "write" },
  "schedules.pause": { method: "post", path: "/schedules/{id}/pause", kind: "write" },
  "schedules.resume": { method: "post", path: "/schedules/{id}/resume", kind: "write" },
  "schedules.agenda": { method: "get", path: "/agenda", kind: "read" },
  "runs.list": { method: "get", path: "/runs", kind: "read" },
  "runs.get": { method: "get", path: "/runs/{id}", kind: "read" },
  "runs.output": { method: "get", path: "/runs/{id}/output", kind: "read" },
  "runs.cancel": { method: "post", path: "/runs/{id}/cancel", kind: "write" },
  "runs.rerun": { method: "post", path: "/runs/{id}/rerun", kind: "write", keyed: true },
  "notification_channels.list": { method: "get", path: "/notification-channels", kind: "read" },
  "notification_channels.create": { method: "post", path: "/notification-channels", kind: "write", keyed: true },
  "notification_channels.get": { method: "get", path: "/notification-channels/{id}", kind: "read" },
  "notification_channels.update": { method: "patch", path: "/notification-channels/{id}", kind: "write" },
  "notification_channels.delete": { method: "delete", path: "/notification-channels/{id}", kind: "write" },
  "notification_channels.enable": { method: "post", path: "/notification-channels/{id}/enable", kind: "write" },
  "notification_channels.disable": { method: "post", path: "/notification-channels/{id}/disable", kind: "write" },
  "notification_channels.rotate": { method: "post", path: "/notification-channels/{id}/rotate", kind: "write" },
  "notification_channels.test": {
    method: "post",
    path: "/notification-channels/{id}/test",
    kind: "write",
    keyed: true,
  },
  "notification_assignments.of_task": { method: "get", path: "/tasks/{id}/notifications", kind: "read" },
  "notification_assignments.replace_of_task": { method: "put", path: "/tasks/{id}/notifications", kind: "write" },
  "notification_assignments.effective": { method: "get", path: "/tasks/{id}/notifications/effective", kind: "read" },
  "notification_assignments.of_group": { method: "get", path: "/groups/{id}/notifications", kind: "read" },
  "notification_assignments.replace_of_group": { method: "put", path: "/groups/{id}/notifications", kind: "write" },
  "notification_deliveries.list": { method: "get", path: "/notification-deliveries", kind: "read" },
  "notification_deliveries.get": { method: "get", path: "/notification-deliveries/{id}", kind: "read" },
  "notification_deliveries.redeliver": {
    method: "post",
    path: "/notification-deliveries/{id}/redeliver",
    kind: "write",
    keyed: true,
  },
  "import.create": { method: "post", path: "/import", kind: "write", keyed: true },
  "import.get": { method: "get", path: "/import/{id}", kind: "read" },
  "events.subscribe": { method: "get", path: "/events", kind: "read" },
  "audit.list": { method: "get", path: "/audit", kind: "read" },
  "idempotency.get": { method: "get", path: "/idempotency/{key}", kind: "read" },
} as const satisfies { readonly [I in OperationId]: EndpointOf<OperationById<I>> };
