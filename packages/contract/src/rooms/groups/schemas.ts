import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { patchOf } from "../../core/list.ts";
import { referenceTo } from "../../core/references.ts";
import { Description, Name, orNull, ResourceId, Revision, Timestamp } from "../../core/scalars.ts";
import { EnvironmentInput, EnvironmentPatch, EnvironmentNames } from "../tasks/environment.ts";

const maxConcurrentRuns = z
  .int()
  .min(1)
  .max(limits.concurrencyMax)
  .nullable()
  .meta({ description: "Runs at once of all tasks below this group; null for no limit of its own" });

const timeZone = z
  .string()
  .min(1)
  .max(100)
  .nullable()
  .meta({
    description: "IANA zone its schedules follow unless they name one; null to inherit",
    examples: ["Europe/Berlin"],
  });

export const Group = z
  .object({
    id: ResourceId,
    name: Name,
    parent_id: orNull(ResourceId),
    enabled: z.boolean().meta({ description: "A disabled group blocks every task below it" }),
    max_concurrent_runs: maxConcurrentRuns,
    time_zone: timeZone,
    environment_names: EnvironmentNames,
    description: Description.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    revision: Revision,
  })
  .meta({ id: "Group" });
export type Group = z.output<typeof Group>;

export const GroupCreate = z
  .strictObject({
    name: Name,
    parent_id: orNull(referenceTo("group")).default(null),
    enabled: z.boolean().default(true),
    max_concurrent_runs: maxConcurrentRuns.default(null),
    time_zone: timeZone.default(null),
    environment: EnvironmentInput.default({}),
    description: Description.nullable().default(null),
  })
  .meta({ id: "GroupCreate" });
export type GroupCreate = z.output<typeof GroupCreate>;

export const GroupPatch = patchOf({
  name: Name.optional(),
  parent_id: orNull(referenceTo("group")).optional(),
  enabled: z.boolean().optional(),
  max_concurrent_runs: maxConcurrentRuns.optional(),
  time_zone: timeZone.optional(),
  environment: EnvironmentPatch.optional(),
  description: Description.nullable().optional(),
}).meta({ id: "GroupPatch" });
export type GroupPatch = z.output<typeof GroupPatch>;
