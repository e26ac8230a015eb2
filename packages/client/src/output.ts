import type { Run, RunState } from "@belfry/contract";
import type { Caller, QueryOf } from "./caller.ts";
import { AbortError, ConnectionError } from "./errors.ts";
import { readEvents, type ServerEvent } from "./events.ts";
import type { CallOptions } from "./options.ts";
import { pause } from "./pause.ts";
import { isTransient } from "./retry.ts";

type StreamName = "stdout" | "stderr";

/** What a run wrote, piece by piece. Offsets count all that was written to that stream, kept or not. */
export type OutputItem =
  | { readonly kind: "output"; readonly stream: StreamName; readonly offset: number; readonly bytes: Uint8Array }
  /** So many bytes from there were not kept. */
  | { readonly kind: "cut"; readonly stream: StreamName; readonly from: number; readonly bytes: number }
  /** Nothing follows. */
  | { readonly kind: "end"; readonly state: RunState };

/** Whose output, and how to read it. */
export interface OutputCall {
  readonly id: string;
  readonly query: QueryOf<"runs.output">;
  readonly options: CallOptions;
}

/**
 * The output of one attempt up to its `end`. A connection that breaks is made again: without bound while following, else
 * as often as a GET is retried. Bytes that come twice are dropped, so that no stream has a gap or a repetition. Both
 * streams together have no offset to go on from, so they are read from their beginning again.
 */
export async function* readOutput(
  caller: Caller,
  { id, query, options }: OutputCall,
): AsyncGenerator<OutputItem, void, undefined> {
  const { stream = "both", offset = 0 } = query;
  const params = { id };
  // the last attempt may be another one by the time a connection breaks
  let attempt = query.attempt ?? lastAttempt(await caller.call("runs.get", { params, options }));
  const known: Record<StreamName, number> = { stdout: offset, stderr: offset };
  const failuresMax = query.follow === true ? Number.POSITIVE_INFINITY : caller.retries;
  for (let failures = 0; ;) {
    try {
      const position = stream === "both" ? query.offset : known[stream] || undefined;
      const response = await caller.stream("runs.output", {
        params,
        query: { ...query, stream, attempt, offset: position },
        options,
      });
      for await (const event of readEvents(response)) {
        const item = toItem(event);
        if (item === null) continue;
        if (item.kind === "end") return yield item;
        const fresh = withoutKnown(item, known[item.stream]);
        if (fresh === null) continue;
        attempt ??= 1;
        known[item.stream] = endOf(fresh);
        failures = 0;
        yield fresh;
      }
      throw new ConnectionError("The output stopped before its end was told.");
    } catch (error) {
      if (options.signal?.aborted === true) throw new AbortError(options.signal);
      if (!isTransient(error) || failures >= failuresMax) throw error;
      failures += 1;
      await pause(caller.delayMs(failures), options.signal);
    }
  }
}

/** The last one that began: a run that waits has the number of its next attempt, and 0 before the first. */
function lastAttempt({ state, attempt }: Run): number | undefined {
  const begun = state === "queued" ? attempt - 1 : attempt;
  return begun < 1 ? undefined : begun;
}

type Piece = Exclude<OutputItem, { kind: "end" }>;

function endOf(piece: Piece): number {
  return piece.kind === "output" ? piece.offset + piece.bytes.length : piece.from + piece.bytes;
}

/** What of a piece lies at or after `known`, or null. */
function withoutKnown(piece: Piece, known: number): Piece | null {
  if (endOf(piece) <= known) return null;
  if (piece.kind === "cut") return piece.from >= known ? piece : { ...piece, from: known, bytes: endOf(piece) - known };
  return piece.offset >= known ? piece : { ...piece, offset: known, bytes: piece.bytes.subarray(known - piece.offset) };
}

/** The members are those of the contract's `OutputEvent`; an event of a newer daemon is passed over. */
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
