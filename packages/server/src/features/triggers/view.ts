import type { Trigger, TriggerReason } from "@belfry/contract";
import { formatInstant, formatInstantOrNull } from "../../kernel/time/time.ts";
import type { TriggerRow } from "./table.ts";

/** The values of the view that are not in the trigger's row. */
export interface TriggerContext {
  readonly setName: string | null;
  readonly targetName: string;
  readonly reason: TriggerReason;
}

/** Shows a trigger. The hash and the seal of its key are never part of the view. */
export function viewTrigger(row: TriggerRow, context: TriggerContext): Trigger {
  return {
    id: row.id,
    name: row.name,
    ...(row.setId === null || row.setPosition === null || context.setName === null
      ? {}
      : { set_id: row.setId, set_name: context.setName, set_position: row.setPosition }),
    target_task_id: row.targetTaskId,
    target_task_name: context.targetName,
    enabled: row.enabled,
    readiness: context.reason === "ready" ? "ready" : "not_ready",
    reason: context.reason,
    key_prefix: row.keyPrefix,
    last_fired_at: formatInstantOrNull(row.lastFiredAt),
    fire_count: row.fireCount,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
    revision: row.revision,
  };
}
