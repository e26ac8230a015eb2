import type { Run, RunState } from "@belfry/contract";
import type { Caller, QueryOf } from "./caller.ts";
import { AbortError, ConnectionError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { isTransient } from "./retry.ts";
import { readEvents, type ServerEvent } from "./server-events.ts";
import { sleep } from "./sleep.ts";

type StreamName = "stdout" | "stderr";

/** A piece of a run's output. Offsets count all bytes that the attempt wrote to the stream, including dropped bytes. */
export type OutputItem =
  | { readonly kind: "output"; readonly stream: StreamName; readonly offset: number; readonly bytes: Uint8Array }
  /** `bytes` bytes starting at offset `from` were dropped. */
  | { readonly kind: "cut"; readonly stream: StreamName; readonly from: number; readonly bytes: number }
  /** The last item. */
  | { readonly kind: "end"; readonly state: RunState };

/** The run whose output to read, with the query and the options of the call. */
export interface OutputCall {
  readonly id: string;
  readonly query: QueryOf<"runs.output">;
  readonly options: CallOptions;
}

/**
 * Reads the output of one attempt up to its `end`. Reconnects after a broken connection: without limit while following,
 * otherwise as often as a GET is retried. Bytes received twice are dropped, so no stream has a gap or a repetition. Two
 * streams have no common offset, so after a reconnect both are read from the start again.
 */
export async function* readOutput(
  caller: Caller,
  { id, query, options }: OutputCall,
): AsyncGenerator<OutputItem, void, undefined> {
  const { stream = "both", offset = 0 } = query;
  const params = { id };
  // pin the attempt now: a later attempt may have begun when the connection breaks
  let attempt = query.attempt ?? lastAttempt(await caller.call("runs.get", { params, options }));
  const readUpTo: Record<StreamName, number> = { stdout: offset, stderr: offset };
  const failuresMax = query.follow === true ? Number.POSITIVE_INFINITY : caller.retries;
  for (let failures = 0; ;) {
    try {
      const position = stream === "both" ? query.offset : readUpTo[stream] || undefined;
      const response = await caller.stream("runs.output", {
        params,
        query: { ...query, stream, attempt, offset: position },
        options,
      });
      for await (const event of readEvents(response)) {
        const item = toItem(event);
        if (item === null) continue;
        if (item.kind === "end") return yield item;
        const fresh = dropBefore(item, readUpTo[item.stream]);
        if (fresh === null) continue;
        attempt ??= 1;
        readUpTo[item.stream] = endOf(fresh);
        failures = 0;
        yield fresh;
      }
      throw new ConnectionError("The output ended without its `end` event.");
    } catch (error) {
      if (options.signal?.aborted === true) throw new AbortError(options.signal);
      if (!isTransient(error) || failures >= failuresMax) throw error;
      failures += 1;
      await sleep(caller.delayMs(failures), options.signal);
    }
  }
}

/** The last attempt that began. A queued run has the number of its next attempt. */
function lastAttempt({ state, attempt }: Run): number | undefined {
  const begun = state === "queued" ? attempt - 1 : attempt;
  return begun < 1 ? undefined : begun;
}

type Piece = Exclude<OutputItem, { kind: "end" }>;

function endOf(piece: Piece): number {
  return piece.kind === "output" ? piece.offset + piece.bytes.length : piece.from + piece.bytes;
}

/** The part of a piece at or after `offset`, or null. */
function dropBefore(piece: Piece, offset: number): Piece | null {
  if (endOf(piece) <= offset) return null;
  if (piece.kind === "cut")
    return piece.from >= offset ? piece : { ...piece, from: offset, bytes: endOf(piece) - offset };
  return piece.offset >= offset ? piece : { ...piece, offset, bytes: piece.bytes.subarray(offset - piece.offset) };
}

/** The data has the members of the contract's `OutputEvent`. Unknown events of a newer daemon are ignored. */
function toItem({ event, data }: ServerEvent): OutputItem | null {
  switch (event) {
    case "output": {
      const { stream, offset, base64 } = data as { stream: StreamName; offset: number; base64: string };
      return { kind: "output", stream, offset, bytes: Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) };
    }
    case "cut":
      return { kind: "cut", ...(data as { stream: StreamName; from: number; bytes: number }) };
    case "end":
      return { kind: "end", ...(data as { state: RunState }) };
    default:
      return null;
  }
}
