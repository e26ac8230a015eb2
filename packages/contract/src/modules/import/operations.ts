import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { defineOperation, localOnly } from "../../core/operation.ts";
import { IdParams } from "../../core/references.ts";
import { orNull, ResourceId, withoutKey } from "../../core/scalars.ts";
import { writes } from "../../core/written-resource.ts";
import { Group, GroupCreate } from "../groups/schemas.ts";
import { ImportSchedule } from "../schedules/schemas.ts";
import { Task, TaskCreate } from "../tasks/schemas.ts";

const text = withoutKey(z.string().min(1).max(200));
const groupKey = text.meta({ description: "An identifier, unique among the groups of the file" });
const taskKey = text.meta({ description: "An identifier, unique among the tasks of the file" });
const reference = orNull(text).default(null).meta({ description: "The key of a group in the file, or null" });

const examples = {
  group: { key: "backups", name: "Backups" },
  task: { key: "backup", name: "Backup", group_key: "backups" },
  schedule: { key: "nightly", task_key: "backup", kind: "cron", expression: "0 3 * * *" },
};
const ImportGroup = writes(
  Group,
  z.strictObject({ ...GroupCreate.shape, key: groupKey, parent_key: reference }).meta({
    id: "ImportGroup",
    description: "A group to create; `parent_key` is the key of another group in the file",
    examples: [examples.group],
  }),
);
const ImportTask = writes(
  Task,
  z.strictObject({ ...TaskCreate.shape, key: taskKey, group_key: reference }).meta({
    id: "ImportTask",
    description: "A task to create; `group_key` is the key of a group in the file",
    examples: [examples.task],
  }),
);
export const ImportRequest = z
  .strictObject({
    groups: z
      .array(ImportGroup)
      .max(limits.importItemsMax)
      .meta({ examples: [[examples.group]] })
      .default([]),
    tasks: z
      .array(ImportTask)
      .max(limits.importItemsMax)
      .meta({ examples: [[examples.task]] })
      .default([]),
    schedules: z
      .array(ImportSchedule)
      .max(limits.importItemsMax)
      .meta({ examples: [[examples.schedule]] })
      .default([]),
    dry_run: z
      .boolean()
      .default(false)
      .meta({ description: "Return the plan with status 200 without creating anything" }),
  })
  .meta({ id: "ImportRequest" });
export type ImportRequest = z.output<typeof ImportRequest>;

const made = z.object({ key: z.string(), id: ResourceId, name: z.string() });
export const ImportResult = z
  .object({
    id: ResourceId,
    dry_run: z.boolean(),
    groups: z.array(made),
    tasks: z.array(made),
    schedules: z.array(made),
  })
  .meta({
    id: "ImportResult",
    description:
      "The created resources, each with its key in the file. The ids that a dry run returns belong to no resource",
  });
export type ImportResult = z.output<typeof ImportResult>;

export const importOperations = [
  defineOperation({
    id: "import.create",
    method: "post",
    path: "/import",
    summary: "Create groups, tasks and schedules in one transaction",
    description: `An import creates at most ${limits.importItemsMax} groups, ${limits.importItemsMax} tasks and ${limits.importItemsMax} schedules. The body has at most 8 MiB, and at most ${limits.importValuesMax.toLocaleString("en")} values and member names together.`,
    kind: "write",
    capability: "manage",
    transports: localOnly,
    audited: true,
    resource: "import",
    body: ImportRequest,
    bodyBytesMax: limits.importBodyBytesMax,
    bodyValuesMax: limits.importValuesMax,
    response: { kind: "json", status: 201, schema: ImportResult, preview: ImportResult },
    errors: ["not_found"],
    replayedBy: "import.get",
    example: {
      tasks: [{ key: "backup", name: "Backup", command: { kind: "shell", script: "backup --all" } }],
      schedules: [{ key: "nightly", task_key: "backup", kind: "cron", expression: "0 3 * * *" }],
    },
  }),
  defineOperation({
    id: "import.get",
    method: "get",
    path: "/import/{id}",
    summary: "Get the result of an import",
    kind: "read",
    capability: "observe",
    transports: localOnly,
    audited: false,
    resource: "import",
    params: IdParams,
    response: { kind: "json", status: 200, schema: ImportResult },
    errors: ["not_found"],
  }),
] as const;
