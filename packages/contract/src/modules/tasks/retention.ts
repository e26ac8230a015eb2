import { z } from "zod";
import { answerOf } from "../../core/answer.ts";
import { limits } from "../../core/limits.ts";
import { durationBetween } from "../../core/scalars.ts";

export const RetentionInput = z
  .strictObject({
    runs: z
      .int()
      .min(1)
      .max(limits.retentionRunsMax)
      .default(500)
      .meta({ description: "The maximum number of finished runs to keep. If there are more, the oldest are deleted" }),
    age: durationBetween(60_000).default("90d").meta({ description: "Finished runs older than this are deleted" }),
    bytes: z
      .int()
      .min(limits.retentionBytesMin)
      .max(limits.retentionBytesMax)
      .default(1024 ** 3)
      .meta({
        description:
          "The maximum size of the kept output of all runs. If there is more, the oldest finished runs are deleted with their output, but never the newest",
      }),
  })
  .meta({ id: "RetentionInput", examples: [{ runs: 100, age: "30d" }] });
export const Retention = answerOf(RetentionInput).meta({ id: "Retention" });
