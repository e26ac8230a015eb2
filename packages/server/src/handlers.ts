import { catalogue } from "@belfry/contract";
import { buildDocument, localApi } from "@belfry/contract/openapi";
import type { Concerns, Handlers, Replays } from "./catalogue.ts";
import { type Audit, createAuditHandlers } from "./features/audit/index.ts";
import { createChainHandlers } from "./features/chains/index.ts";
import { createOutputHandler } from "./features/engine/index.ts";
import { createEventHandlers, type Hub } from "./features/events/index.ts";
import { createGroupHandlers } from "./features/groups/index.ts";
import { createHealthHandlers } from "./features/health/index.ts";
import { createIdempotencyHandlers, type Idempotency } from "./features/idempotency/index.ts";
import { createImportHandlers } from "./features/import/index.ts";
import { createManifestHandlers, type ManifestRoom } from "./features/manifest/index.ts";
import { createAssignmentHandlers } from "./features/assignments/index.ts";
import { createChannelHandlers } from "./features/channels/index.ts";
import { createDeliveryHandlers, createDeliveryReplays } from "./features/deliveries/index.ts";
import { createRunHandlers } from "./features/runs/index.ts";
import { createRuntimeInfoHandlers } from "./features/runtime-info/index.ts";
import { createScheduleHandlers } from "./features/schedules/index.ts";
import { createTaskHandlers } from "./features/tasks/index.ts";
import { createTriggerSetHandlers, createTriggerSetReplays } from "./features/trigger-sets/index.ts";
import { createTriggerConcerns, createTriggerHandlers, createTriggerReplays } from "./features/triggers/index.ts";
import { systemClock } from "./kernel/time/clock.ts";
import type { Config } from "./kernel/config/config.ts";
import type { DiskWatch } from "./kernel/files/disk-watch.ts";
import type { Rooms } from "./rooms.ts";

export interface HandlerParts extends Rooms {
  readonly config: Config;
  readonly hub: Hub;
  readonly manifest: ManifestRoom;
  readonly audit: Audit;
  readonly idempotency: Idempotency;
  readonly listBroken: DiskWatch["listBroken"];
}

/** A missing handler does not compile. */
export function buildHandlers(parts: HandlerParts): Handlers {
  const { tasks, schedules, planner, runStore, requests, lifecycle } = parts;
  let document: ReturnType<typeof buildDocument> | null = null;
  return {
    ...createHealthHandlers(),
    ...createManifestHandlers(parts.manifest),
    ...createRuntimeInfoHandlers(parts.config.paths, parts.listBroken),
    ...createGroupHandlers(parts.groups),
    ...createTaskHandlers(tasks),
    ...createScheduleHandlers({
      schedules,
      tasks,
      planner,
      runs: runStore,
      store: parts.scheduleStore,
      whyOfChains: parts.whyOfChains,
    }),
    ...createRunHandlers({ tasks, requests, lifecycle, store: runStore }),
    ...createOutputHandler({ clock: systemClock, dataDir: parts.config.paths.dataDir, store: runStore, lifecycle }),
    ...createTriggerHandlers(parts),
    ...createTriggerSetHandlers(parts),
    ...createChainHandlers(parts.chains),
    ...createImportHandlers(parts.imports),
    ...createChannelHandlers(parts.channels),
    ...createAssignmentHandlers(parts),
    ...createDeliveryHandlers(parts),
    ...createEventHandlers(parts.hub),
    ...createAuditHandlers(parts.audit),
    ...createIdempotencyHandlers(parts.idempotency),
    "openapi.get": () => ({ ...(document ??= buildDocument(catalogue, localApi)) }),
  };
}

/** How repeated calls are answered where no plain read does it. */
export function buildReplays(parts: Rooms): Replays {
  return {
    ...createTriggerReplays(parts),
    ...createTriggerSetReplays(parts.triggerSets),
    ...createDeliveryReplays(parts),
  };
}

/** What refused calls concern where their paths do not say. */
export function buildConcerns({ fire }: Rooms): Concerns {
  return createTriggerConcerns(fire);
}
