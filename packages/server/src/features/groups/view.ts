import type { Group } from "@belfry/contract";
import { formatInstant } from "../../kernel/time/time.ts";
import type { GroupRow } from "./table.ts";

export function viewGroup(row: GroupRow): Group {
  return {
    id: row.id,
    name: row.name,
    parent_id: row.parentId,
    enabled: row.enabled,
    max_concurrent_runs: row.maxConcurrentRuns,
    time_zone: row.timeZone,
    environment_names: [...row.environmentNames],
    description: row.description,
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
    revision: row.revision,
  };
}
