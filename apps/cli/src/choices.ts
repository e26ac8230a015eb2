import type {
  Actor,
  ActorPatch,
  AuditEvent,
  Credential,
  EventKind,
  NotificationDelivery,
  Pairing,
  Run,
} from "@belfry/client";

// The contract's own lists are in the same modules as its schemas, which would load zod for each call of the command.
// The keys here are checked against its types: a missing or extra value does not compile.

export const runStates = literalsOf<Run["state"]>({
  queued: true,
  dispatching: true,
  running: true,
  cancelling: true,
  succeeded: true,
  failed: true,
  cancelled: true,
  skipped: true,
});

export const runOutcomes = literalsOf<NonNullable<Run["outcome"]>>({ success: true, failure: true });

export const runTriggers = literalsOf<Run["trigger"]>({
  schedule: true,
  manual: true,
  external_trigger: true,
  completion: true,
  filesystem_watcher: true,
});

export const outputStreams = ["stdout", "stderr", "both"] as const;

export const eventKinds = literalsOf<EventKind>({
  task: true,
  group: true,
  hold: true,
  schedule: true,
  run: true,
  trigger: true,
  trigger_set: true,
  filesystem_watcher: true,
  chain: true,
  notification_channel: true,
  notification_assignment: true,
  notification_delivery: true,
  manifest: true,
  actor: true,
});

export const deliveryStates = literalsOf<NotificationDelivery["state"]>({
  pending: true,
  claimed: true,
  succeeded: true,
  failed: true,
});

export const actorStates = literalsOf<Actor["state"]>({ active: true, disabled: true, revoked: true, expired: true });

/** The states that a change can set. */
export const actorSwitchStates = literalsOf<NonNullable<ActorPatch["state"]>>({ active: true, disabled: true });

export const credentialKinds = literalsOf<Credential["kind"]>({ json: true, cli: true, desktop: true });

export const pairingStates = literalsOf<Pairing["state"]>({ open: true, used: true, burnt: true, expired: true });

export const auditResults = literalsOf<AuditEvent["result"]>({ allowed: true, denied: true, failed: true });

/** The values of a union type. */
export function literalsOf<T extends string>(values: Record<T, true>): readonly T[] {
  return Object.keys(values) as T[];
}
