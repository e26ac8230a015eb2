import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { IdParams } from "../../core/references.ts";
import { queryInteger, QueryBoolean } from "../../core/scalars.ts";
import { OutputEvent, outputStreams } from "../runs/schemas.ts";

export const outputOperations = [
  defineOperation({
    resource: "run",
    kind: "read",
    capability: "observe",
    audited: false,
    transports: everywhere,
    id: "runs.output",
    method: "get",
    path: "/runs/{id}/output",
    summary: "Read the output of a run, during the run or afterwards",
    description:
      "Returns the raw bytes of one stream or, with `Accept: text/event-stream`, the events `output`, `cut` and a final `end`. Offsets count every byte that the attempt wrote to the stream, including bytes that were not kept.",
    params: IdParams,
    query: z.strictObject({
      stream: z
        .enum(outputStreams)
        .optional()
        .meta({ description: "Default: `stdout` for raw bytes, `both` for events. `both` is allowed only for events" }),
      attempt: queryInteger(1, limits.retryAttemptsMax).optional().meta({
        description:
          "The number of the attempt. Default: the latest that has started. If the given attempt has not started, or none has, `follow` waits until it does",
      }),
      offset: queryInteger(0, Number.MAX_SAFE_INTEGER).optional(),
      follow: QueryBoolean.optional().meta({
        description:
          "Keep streaming until the attempt ends. The event `end` then has the state of the run, which is `queued` if another attempt follows",
      }),
    }),
    response: { kind: "bytes", events: OutputEvent },
    errors: ["not_found"],
  }),
] as const;
