import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { defineOperation } from "../../core/operation.ts";
import { IdParams } from "../../core/references.ts";
import { queryInteger, QueryBoolean } from "../../core/scalars.ts";
import { OutputEvent, outputStreams } from "../runs/schemas.ts";

export const outputOperations = [
  defineOperation({
    resource: "run",
    kind: "read",
    capability: "observe",
    audited: false,
    remote: true,
    id: "runs.output",
    method: "get",
    path: "/runs/{id}/output",
    summary: "What a run wrote, while it runs and after",
    description:
      "Raw bytes of one stream, or events `output`, `cut` and a last `end` with `Accept: text/event-stream` (the only form for `both`). Offsets count all that was written.",
    params: IdParams,
    query: z.strictObject({
      stream: z.enum(outputStreams).optional().meta({ description: "`stdout` unless given; `both` with events" }),
      attempt: queryInteger(1, limits.retryAttemptsMax)
        .optional()
        .meta({ description: "The last one that began unless given; with `follow` the next one is waited for" }),
      offset: queryInteger(0, Number.MAX_SAFE_INTEGER).optional(),
      follow: QueryBoolean.optional().meta({
        description:
          "Stay until the attempt has ended; `end` tells the run's state then, `queued` when another attempt follows",
      }),
    }),
    response: { kind: "bytes", events: OutputEvent },
    errors: ["not_found"],
  }),
] as const;
