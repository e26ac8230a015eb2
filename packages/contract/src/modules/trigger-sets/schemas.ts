import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { patchOf } from "../../core/list.ts";
import { oneOfTwo } from "../../core/one-of-two.ts";
import { referenceTo } from "../../core/references.ts";
import { Name, ResourceId, Revision, Timestamp } from "../../core/scalars.ts";
import { writes } from "../../core/written-resource.ts";
import { FireCommand, Trigger, TriggerKey } from "../triggers/schemas.ts";

const memberCount = z.int().min(1).max(limits.triggerSetMembersMax);

/** Triggers that are made, switched, rotated and deleted together and share one task (contract: Trigger Set). */
export const TriggerSet = z
  .object({
    id: ResourceId,
    name: Name,
    target_task_id: ResourceId,
    target_task_name: Name.meta({ description: "The last known one, once the task is gone" }),
    member_count: memberCount,
    enabled_count: z.int().min(0).max(limits.triggerSetMembersMax),
    members: z.array(Trigger).meta({ description: "By position" }),
    created_at: Timestamp,
    updated_at: Timestamp,
    revision: Revision,
  })
  .meta({ id: "TriggerSet" });
export type TriggerSet = z.output<typeof TriggerSet>;

const created = { name: Name, target_task_id: referenceTo("task") };
const Counted = writes(
  TriggerSet,
  z
    .strictObject({
      ...created,
      count: memberCount.meta({ description: "Members named after the set: `<name> 1` and on" }),
    })
    .meta({ id: "CountedTriggerSetCreate" }),
);
const Named = writes(
  TriggerSet,
  z
    .strictObject({
      ...created,
      member_names: z
        .array(Name)
        .min(1)
        .max(limits.triggerSetMembersMax)
        .meta({ description: "The members' own names, in their order", examples: [["Berlin", "Oslo"]] }),
    })
    .meta({ id: "NamedTriggerSetCreate" }),
);
export const TriggerSetCreate = oneOfTwo(z.union([Counted, Named]), ["count", "member_names"]).meta({
  id: "TriggerSetCreate",
});
export type TriggerSetCreate = z.output<typeof TriggerSetCreate>;

export const TriggerSetPatch = writes(
  TriggerSet,
  patchOf({ name: Name.optional(), target_task_id: referenceTo("task").optional() }).meta({
    id: "TriggerSetPatch",
  }),
);
export type TriggerSetPatch = z.output<typeof TriggerSetPatch>;

/** The answer of the three operations that give the keys away. */
export const TriggerSetSecrets = z
  .object({
    trigger_set: TriggerSet,
    keys: z
      .array(
        z.object({
          trigger_id: ResourceId,
          position: z.int().min(1),
          key: TriggerKey,
          command: FireCommand,
        }),
      )
      .meta({ description: "By position" }),
  })
  .meta({ id: "TriggerSetSecrets" });
export type TriggerSetSecrets = z.output<typeof TriggerSetSecrets>;
