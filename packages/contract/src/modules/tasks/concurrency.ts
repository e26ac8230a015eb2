import { z } from "zod";
import { answerOf } from "../../core/answer.ts";
import { limits } from "../../core/limits.ts";
import { orNull, withoutKey } from "../../core/scalars.ts";

/** What happens to a new run while a limit is reached. */
export const onConflicts = ["queue", "skip", "replace"] as const;

export const ConcurrencyInput = z
  .strictObject({
    limit: z.int().min(1).max(limits.concurrencyMax).default(1).meta({
      description: "The maximum number of concurrent runs: of this task or, if it has a key, of all its tasks",
    }),
    key: orNull(withoutKey(z.string().min(1).max(limits.concurrencyKeyCharactersMax)).meta({ examples: ["database"] }))
      .default(null)
      .meta({
        description:
          "Tasks with the same key share one limit, whatever their groups: the lowest limit among those that are not archived",
      }),
    on_conflict: z.enum(onConflicts).default("queue").meta({
      description:
        "When the limit is reached: queue the new run, skip it, or cancel the oldest run of this task and start the new one after it",
    }),
  })
  .meta({ id: "ConcurrencyInput", examples: [{ limit: 1, on_conflict: "skip" }] });
export const Concurrency = answerOf(ConcurrencyInput).meta({ id: "Concurrency" });
export type Concurrency = z.output<typeof Concurrency>;
