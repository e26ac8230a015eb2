import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { patchOf } from "../../core/list.ts";
import { oneOfTwo } from "../../core/one-of-two.ts";
import { referenceTo } from "../../core/references.ts";
import { Name, ResourceId, Revision, Timestamp } from "../../core/scalars.ts";
import { writes } from "../../core/written-resource.ts";
import { FireCommand, Trigger, TriggerKey } from "../triggers/schemas.ts";

const memberCount = z.int().min(1).max(limits.triggerSetMembersMax);

/** Triggers of one task that are created, enabled, disabled, rotated and deleted together (contract: Trigger Set). */
export const TriggerSet = z
  .object({
    id: ResourceId,
    name: Name,
    target_task_id: ResourceId,
    target_task_name: Name.meta({ description: "The name of the task; its last known name if the task was deleted" }),
    member_count: memberCount,
    enabled_count: z.int().min(0).max(limits.triggerSetMembersMax),
    members: z.array(Trigger).meta({ description: "In the order of their positions" }),
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
      count: memberCount.meta({
        description: "The number of members; they are named `<name> 1`, `<name> 2` and so on",
      }),
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
        .meta({
          description: "The names of the members, in the order of their positions",
          examples: [["Berlin", "Oslo"]],
        }),
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

/** The answer of the three operations that reveal the keys. */
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
      .meta({ description: "In the order of their positions" }),
  })
  .meta({ id: "TriggerSetSecrets" });
export type TriggerSetSecrets = z.output<typeof TriggerSetSecrets>;
