import { Group, type Viewer } from "@belfry/contract";
import { createShow } from "../../kernel/show.ts";
import { formatInstant } from "../../kernel/time/time.ts";
import type { GroupRow } from "./table.ts";

const show = createShow(Group);

export function viewGroup(row: GroupRow, viewer: Viewer): Group {
  return show(viewer, {
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
  });
}
