import type { Trigger, TriggerSet } from "@belfry/contract";
import { formatInstant } from "../../kernel/time/time.ts";
import type { TriggerSetRow } from "./table.ts";

/** The values of the view that are not in the set's row. */
export interface TriggerSetContext {
  readonly targetName: string;
  readonly members: readonly Trigger[];
}

export function viewTriggerSet(row: TriggerSetRow, { targetName, members }: TriggerSetContext): TriggerSet {
  return {
    id: row.id,
    name: row.name,
    target_task_id: row.targetTaskId,
    target_task_name: targetName,
    member_count: members.length,
    enabled_count: members.filter((member) => member.enabled).length,
    members: [...members],
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
    revision: row.revision,
  };
}
