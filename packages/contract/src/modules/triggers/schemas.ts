import { z } from "zod";
import { patchOf } from "../../core/list.ts";
import { referenceTo } from "../../core/references.ts";
import { Name, orNull, ResourceId, Revision, Timestamp, wholeKey } from "../../core/scalars.ts";
import { secret } from "../../core/secret.ts";
import { writes } from "../../core/written-resource.ts";
import { runStates } from "../runs/schemas.ts";
import { readinessReasons } from "../tasks/readiness.ts";

/** Why a trigger can or cannot start its task now: `ready`, or the first obstacle in this order. */
export const triggerReasons = [
  "ready",
  "trigger_disabled",
  ...readinessReasons.filter((reason) => reason !== "ready"),
] as const;
export type TriggerReason = (typeof triggerReasons)[number];

/** A trigger without its key (contract: Trigger). */
export const Trigger = z
  .object({
    id: ResourceId,
    name: Name,
    set_id: ResourceId.optional().meta({
      description: "The trigger set that contains the trigger; absent for a single trigger",
    }),
    set_name: Name.optional(),
    set_position: z.int().min(1).optional().meta({
      description:
        "The trigger's position in its set, starting at 1. The position of a deleted member is not used again",
    }),
    target_task_id: ResourceId,
    target_task_name: Name.meta({ description: "The name of the task; its last known name if the task was deleted" }),
    enabled: z.boolean(),
    readiness: z.enum(["ready", "not_ready"]),
    reason: z.enum(triggerReasons),
    key_prefix: z.string().meta({ description: "The public part of the key, to identify it" }),
    last_fired_at: orNull(Timestamp),
    fire_count: z.int().min(0).meta({ description: "The number of accepted fires" }),
    created_at: Timestamp,
    updated_at: Timestamp,
    revision: Revision,
  })
  .meta({ id: "Trigger" });
export type Trigger = z.output<typeof Trigger>;

export const TriggerCreate = writes(
  Trigger,
  z
    .strictObject({ name: Name, target_task_id: referenceTo("task"), enabled: z.boolean().default(true) })
    .meta({ id: "TriggerCreate" }),
);
export type TriggerCreate = z.output<typeof TriggerCreate>;

export const TriggerPatch = writes(
  Trigger,
  patchOf({ name: Name.optional(), target_task_id: referenceTo("task").optional() }).meta({
    id: "TriggerPatch",
  }),
);
export type TriggerPatch = z.output<typeof TriggerPatch>;

/** A key as it is returned. */
export const TriggerKey = z
  .string()
  .regex(wholeKey)
  .meta({ id: "TriggerKey", description: "A secret: anyone who has it can fire the trigger" });
export const FireCommand = z.string().meta({
  id: "FireCommand",
  description:
    "A complete shell command that fires the trigger. It reads the key from standard input, so the key is not in the process list",
});

/** The answer of the three operations that reveal a key. */
export const TriggerSecret = z
  .object({ trigger: Trigger, key: TriggerKey, command: FireCommand })
  .meta({ id: "TriggerSecret" });
export type TriggerSecret = z.output<typeof TriggerSecret>;

export const FireRequest = z
  .strictObject({ key: secret(z.string().min(1).max(200)) })
  .meta({ id: "FireRequest", description: "The key is sent only in the body, because URLs and headers may be logged" });

export const Fired = z
  .object({
    run_id: ResourceId,
    task_id: ResourceId,
    trigger_id: ResourceId,
    state: z.enum(runStates).meta({
      description: "`skipped` if the task's concurrency limit was reached and the task's `on_conflict` is `skip`",
    }),
  })
  .meta({ id: "Fired" });
export type Fired = z.output<typeof Fired>;
