import type { outputOperations } from "@belfry/contract";
import { invalid } from "../../../kernel/errors/errors.ts";
import type { Call } from "../../../kernel/operation.ts";
import { parseInstant } from "../../../kernel/time/time.ts";
import { type StreamName, streamNames } from "../../../runner/protocol/messages.ts";
import type { OutputStart } from "./start-offsets.ts";

type Query = Call<(typeof outputOperations)[0]>["query"];

export interface WantedOutput {
  readonly streams: readonly StreamName[];
  readonly start: OutputStart;
  readonly follow: boolean;
}

/** Checks which members of the query go together, and returns what they ask for. */
export function readOutputQuery(query: Query, wantsEvents: boolean): WantedOutput {
  const stream = query.stream ?? (wantsEvents ? "both" : "stdout");
  if (stream === "both" && !wantsEvents)
    throw invalid(
      "stream",
      "stream must be stdout or stderr for raw output: send Accept: text/event-stream to read both",
    );
  if (stream === "both" && query.offset !== undefined)
    throw invalid("offset", "offset is only for a single stream: set stream to stdout or stderr");
  for (const field of ["stdout_offset", "stderr_offset"] as const)
    if (stream !== "both" && query[field] !== undefined)
      throw invalid(field, `${field} is only for events of both streams: use offset for a single stream`);
  if (query.since !== undefined && !wantsEvents)
    throw invalid("since", "since is only for events: send Accept: text/event-stream");
  refuseTwoStarts(query);
  const { offset = 0, stdout_offset = 0, stderr_offset = 0, tail = null, since } = query;
  return {
    streams: stream === "both" ? streamNames : [stream],
    start: {
      offsets:
        stream === "both" ? { stdout: stdout_offset, stderr: stderr_offset } : { stdout: offset, stderr: offset },
      tail,
      since: since === undefined ? null : parseInstant(since),
    },
    follow: query.follow ?? false,
  };
}

/** Only `tail` and `since` go together: each stream then starts at the later of both. */
function refuseTwoStarts(query: Query): void {
  const offset = (["offset", "stdout_offset", "stderr_offset"] as const).find((field) => query[field] !== undefined);
  const other = (["tail", "since"] as const).find((field) => query[field] !== undefined);
  if (offset !== undefined && other !== undefined)
    throw invalid(other, `${other} cannot be used with ${offset}: leave one of them out`);
}
