import { z } from "zod";
import { onlyFor } from "../../core/audience.ts";
import { limits } from "../../core/limits.ts";
import { patchOf } from "../../core/list.ts";
import { referenceTo } from "../../core/references.ts";
import { Description, Name, orNull, ResourceId, Revision, Timestamp } from "../../core/scalars.ts";
import { writes } from "../../core/written-resource.ts";
import { EnvironmentInput, EnvironmentPatch, EnvironmentNames } from "../tasks/environment.ts";

const maxConcurrentRuns = orNull(z.int().min(1).max(limits.concurrencyMax)).meta({
  description: "The maximum number of concurrent runs of all tasks in this group and its subgroups; null for no limit",
});

const timeZone = orNull(
  z
    .string()
    .min(1)
    .max(100)
    .meta({ examples: ["Europe/Berlin"] }),
).meta({
  description: "The IANA time zone of schedules that have none of their own; null to inherit it",
});

export const Group = z
  .object({
    id: ResourceId,
    name: Name,
    parent_id: orNull(ResourceId),
    enabled: z.boolean().meta({ description: "No task in a disabled group or in its subgroups starts" }),
    max_concurrent_runs: maxConcurrentRuns,
    time_zone: timeZone,
    environment_names: onlyFor({ capability: "manage" }, EnvironmentNames),
    description: Description.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    revision: Revision,
  })
  .meta({ id: "Group" });
export type Group = z.output<typeof Group>;

export const GroupCreate = writes(
  Group,
  z
    .strictObject({
      name: Name,
      parent_id: orNull(referenceTo("group")).default(null),
      enabled: z.boolean().default(true),
      max_concurrent_runs: maxConcurrentRuns.default(null),
      time_zone: timeZone.default(null),
      environment: EnvironmentInput.default({}),
      description: orNull(Description).default(null),
    })
    .meta({ id: "GroupCreate" }),
);
export type GroupCreate = z.output<typeof GroupCreate>;

export const GroupPatch = writes(
  Group,
  patchOf({
    name: Name.optional(),
    parent_id: orNull(referenceTo("group")).optional(),
    enabled: z.boolean().optional(),
    max_concurrent_runs: maxConcurrentRuns.optional(),
    time_zone: timeZone.optional(),
    environment: EnvironmentPatch.optional(),
    description: orNull(Description).optional(),
  }).meta({ id: "GroupPatch" }),
);
export type GroupPatch = z.output<typeof GroupPatch>;
