import type { Hold } from "@belfry/contract";
import { formatInstant, formatInstantOrNull } from "../../kernel/time/time.ts";
import type { HoldRow } from "./table.ts";

export function viewHold(row: HoldRow, groupName: string | null): Hold {
  return {
    id: row.id,
    group_id: row.groupId,
    group_name: groupName,
    cause: row.cause,
    reason: row.reason,
    until: formatInstantOrNull(row.untilAt),
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  };
}
