import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { patchOf } from "../../core/list.ts";
import { referenceTo } from "../../core/references.ts";
import { Duration, durationBetween, Name, ResourceId, Revision, Timestamp } from "../../core/scalars.ts";
import { writes } from "../../core/written-resource.ts";

export const chainOutcomes = ["success", "failure", "any"] as const;
/** The outcomes of the source run that start the target; `any` is both. Cancelled and skipped runs have no outcome. */
export type ChainOutcome = (typeof chainOutcomes)[number];

const sourceDescription = "The task whose run starts the target";
const targetDescription = "The task that starts after the source";
const source = referenceTo("task").meta({ description: sourceDescription });
const target = referenceTo("task").meta({ description: targetDescription });
const onOutcome = z.enum(chainOutcomes).meta({
  description:
    "The target starts when a run of the source ends with this outcome; `any` means success or failure. Cancelled and skipped runs have no outcome and start nothing",
});
const delayDescription =
  "The time between the end of the source run and the start of the target; `0s` starts it immediately";
const delay = durationBetween(0, limits.chainDelayMaxMs).meta({ description: delayDescription });

export const Chain = z
  .object({
    id: ResourceId,
    source_task_id: ResourceId.meta({ description: sourceDescription }),
    source_task_name: Name,
    target_task_id: ResourceId.meta({ description: targetDescription }),
    target_task_name: Name,
    on_outcome: onOutcome,
    enabled: z
      .boolean()
      .meta({ description: "A disabled chain starts nothing, but still counts when cycles are checked" }),
    delay: Duration.meta({ description: delayDescription }),
    created_at: Timestamp,
    updated_at: Timestamp,
    revision: Revision,
  })
  .meta({ id: "Chain" });
export type Chain = z.output<typeof Chain>;

export const ChainCreate = writes(
  Chain,
  z
    .strictObject({
      source_task_id: source,
      target_task_id: target,
      on_outcome: onOutcome,
      enabled: z.boolean().default(true),
      delay: delay.default("0s"),
    })
    .meta({ id: "ChainCreate" }),
);
export type ChainCreate = z.output<typeof ChainCreate>;

export const ChainPatch = writes(
  Chain,
  patchOf({
    source_task_id: source.optional(),
    target_task_id: target.optional(),
    on_outcome: onOutcome.optional(),
    enabled: z.boolean().optional(),
    delay: delay.optional(),
  }).meta({ id: "ChainPatch" }),
);
export type ChainPatch = z.output<typeof ChainPatch>;

export const ChainGraphTask = z
  .object({
    task_id: ResourceId,
    task_name: Name,
    level: z
      .int()
      .min(0)
      .meta({ description: "The number of chains on the longest path to the task; 0 if no chain starts it" }),
  })
  .meta({ id: "ChainGraphTask" });
export type ChainGraphTask = z.output<typeof ChainGraphTask>;

export const ChainGraph = z
  .object({
    tasks: z
      .array(ChainGraphTask)
      .meta({ description: "Sorted by level and then by name, so that each source comes before its targets" }),
    chains: z.array(Chain).meta({ description: "Oldest first" }),
  })
  .meta({ id: "ChainGraph" });
export type ChainGraph = z.output<typeof ChainGraph>;
