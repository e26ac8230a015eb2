import type { Operation } from "./core/operation.ts";
import { auditOperations } from "./rooms/audit/operations.ts";
import { chainOperations } from "./rooms/chains/operations.ts";
import { eventOperations } from "./rooms/events/operations.ts";
import { groupOperations } from "./rooms/groups/operations.ts";
import { healthOperations } from "./rooms/health/operations.ts";
import { idempotencyOperations } from "./rooms/idempotency/operations.ts";
import { importOperations } from "./rooms/import/operations.ts";
import { manifestOperations } from "./rooms/manifest/operations.ts";
import { assignmentOperations } from "./rooms/notifications/assignment-operations.ts";
import { channelOperations } from "./rooms/notifications/channel-operations.ts";
import { deliveryOperations } from "./rooms/notifications/delivery-operations.ts";
import { openapiOperations } from "./rooms/openapi/operations.ts";
import { runOperations } from "./rooms/runs/operations.ts";
import { runtimeInfoOperations } from "./rooms/runtime-info/operations.ts";
import { scheduleOperations } from "./rooms/schedules/operations.ts";
import { taskOperations } from "./rooms/tasks/operations.ts";
import { triggerSetOperations } from "./rooms/trigger-sets/operations.ts";
import { triggerOperations } from "./rooms/triggers/operations.ts";

/** Every operation, in the order of the documents. */
export const catalogue = [
  ...healthOperations,
  ...manifestOperations,
  ...runtimeInfoOperations,
  ...openapiOperations,
  ...groupOperations,
  ...taskOperations,
  ...scheduleOperations,
  ...runOperations,
  ...triggerOperations,
  ...triggerSetOperations,
  ...chainOperations,
  ...channelOperations,
  ...assignmentOperations,
  ...deliveryOperations,
  ...importOperations,
  ...eventOperations,
  ...auditOperations,
  ...idempotencyOperations,
] as const satisfies readonly Operation[];

export type CatalogueOperation = (typeof catalogue)[number];
export type OperationId = CatalogueOperation["id"];
/** The descriptor of one operation, by its id. */
export type OperationById<I extends OperationId> = Extract<CatalogueOperation, { readonly id: I }>;
