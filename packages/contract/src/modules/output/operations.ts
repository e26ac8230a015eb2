import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { IdParams } from "../../core/references.ts";
import { queryInteger, QueryBoolean, Timestamp } from "../../core/scalars.ts";
import { OutputEvent, outputStreams } from "../runs/schemas.ts";

const offset = queryInteger(0, Number.MAX_SAFE_INTEGER).optional();

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
      "Returns the raw bytes of one stream or, with `Accept: text/event-stream`, the events `output`, `cut` and a final `end`. The events of both streams come in the order in which Belfry read the output, as far as this order is recorded. Offsets count every byte that the attempt wrote to the stream, including bytes that were not kept. With `follow`, the events begin with a comment, and another one is sent after each 15 s without an event.",
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
      offset: offset.meta({
        description:
          "Where to start in the stream; not with `stream=both`. `offset`, `tail`, `since` and the offsets of both streams exclude each other, except `tail` and `since`",
      }),
      stdout_offset: offset.meta({
        description:
          "Where to start in stdout, to continue after a broken connection; only for events with `stream=both`. Default: 0",
      }),
      stderr_offset: offset.meta({ description: "The same for stderr" }),
      tail: queryInteger(0, limits.outputTailMax).optional().meta({
        description:
          "Start at the last lines: of the one stream, or of both together. If the order of a run's output is not recorded, of each stream. A line of more than 64 KiB may begin in its middle. With `follow=true`, 0 skips the output so far",
      }),
      since: Timestamp.optional().meta({
        description:
          "Start at the output that Belfry read at or after this time; only for events. Output without a recorded time is left out if the attempt ended before. With `tail`, each stream starts at the later of both",
      }),
      follow: QueryBoolean.optional().meta({
        description:
          "Keep streaming until the attempt ends. The event `end` then has the state of the run, which is `queued` if another attempt follows",
      }),
    }),
    response: { kind: "bytes", events: OutputEvent },
    errors: ["not_found"],
  }),
] as const;
