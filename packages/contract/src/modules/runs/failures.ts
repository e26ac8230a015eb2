import { z } from "zod";
import { ResourceId } from "../../core/scalars.ts";
import { Run } from "./schemas.ts";

/** The most tasks of one answer about failures. */
export const failedTasksMax = 200;

export const FailedTask = z
  .object({
    task_id: ResourceId,
    failures: z.int().min(1).meta({ description: "How many runs of the task have failed since then" }),
    last: Run.meta({ description: "The newest of these runs" }),
    has_recovered: z.boolean().nullable().meta({
      description: "Whether the newest run of the task with an outcome has succeeded; null for a deleted task",
    }),
  })
  .meta({ id: "FailedTask" });
export type FailedTask = z.output<typeof FailedTask>;

export const RunFailures = z
  .object({
    tasks: z.array(FailedTask).meta({ description: "The task with the newest failure first" }),
    task_count: z.int().min(0).meta({ description: "How many tasks have failed since then, also beyond `limit`" }),
  })
  .meta({ id: "RunFailures" });
export type RunFailures = z.output<typeof RunFailures>;
