import type { Operation } from "./core/operation.ts";
import { actorOperations } from "./modules/actors/operations.ts";
import { auditOperations } from "./modules/audit/operations.ts";
import { backupOperations } from "./modules/backups/operations.ts";
import { chainOperations } from "./modules/chains/operations.ts";
import { eventOperations } from "./modules/events/operations.ts";
import { enrollmentOperations } from "./modules/enrollment/operations.ts";
import { groupOperations } from "./modules/groups/operations.ts";
import { healthOperations } from "./modules/health/operations.ts";
import { holdOperations } from "./modules/holds/operations.ts";
import { idempotencyOperations } from "./modules/idempotency/operations.ts";
import { importOperations } from "./modules/import/operations.ts";
import { manifestOperations } from "./modules/manifest/operations.ts";
import { assignmentOperations } from "./modules/assignments/operations.ts";
import { channelOperations } from "./modules/channels/operations.ts";
import { credentialOperations } from "./modules/credentials/operations.ts";
import { deliveryOperations } from "./modules/deliveries/operations.ts";
import { openapiOperations } from "./modules/openapi/operations.ts";
import { outputOperations } from "./modules/output/operations.ts";
import { pairingOperations } from "./modules/pairings/operations.ts";
import { remoteOperations } from "./modules/remote/operations.ts";
import { runOperations } from "./modules/runs/operations.ts";
import { runtimeInfoOperations } from "./modules/runtime-info/operations.ts";
import { scheduleOperations } from "./modules/schedules/operations.ts";
import { taskOperations } from "./modules/tasks/operations.ts";
import { timelineOperations } from "./modules/timeline/operations.ts";
import { triggerSetOperations } from "./modules/trigger-sets/operations.ts";
import { triggerOperations } from "./modules/triggers/operations.ts";
import { watcherOperations } from "./modules/watchers/operations.ts";
import { whyOperations } from "./modules/why/operations.ts";

/** Every operation, in the order of the API document. */
export const catalogue = [
  ...healthOperations,
  ...manifestOperations,
  ...runtimeInfoOperations,
  ...openapiOperations,
  ...groupOperations,
  ...holdOperations,
  ...taskOperations,
  ...scheduleOperations,
  ...whyOperations,
  ...timelineOperations,
  ...runOperations,
  ...outputOperations,
  ...triggerOperations,
  ...triggerSetOperations,
  ...watcherOperations,
  ...chainOperations,
  ...channelOperations,
  ...assignmentOperations,
  ...deliveryOperations,
  ...importOperations,
  ...eventOperations,
  ...actorOperations,
  ...credentialOperations,
  ...pairingOperations,
  ...enrollmentOperations,
  ...remoteOperations,
  ...backupOperations,
  ...auditOperations,
  ...idempotencyOperations,
] as const satisfies readonly Operation[];

export type CatalogueOperation = (typeof catalogue)[number];
export type OperationId = CatalogueOperation["id"];
/** The descriptor of one operation, by its id. */
export type OperationById<I extends OperationId> = Extract<CatalogueOperation, { readonly id: I }>;
