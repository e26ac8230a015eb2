/** Names that a client may look for in a manifest before it uses a newer part; sorted. */
export const capabilityNames = [
  "actors",
  "audit",
  "chains",
  "events",
  "filesystem_watchers",
  "idempotency",
  "import",
  "notifications",
  "runs",
  "schedules",
  "tasks",
  "trigger_sets",
  "triggers",
] as const;

/** Listed only while the remote API is enabled. */
export const remoteCapability = "remote_api_v1";
