import type { Run, RunState } from "@belfry/contract";
import type { Caller, QueryOf } from "./caller.ts";
import { AbortError, ConnectionError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import type { OutputItem, StreamName } from "./output-item.ts";
import { OutputPosition } from "./output-position.ts";
import { silenceMaxMs } from "./read-within.ts";
import { isTransient } from "./retry.ts";
import { readEvents, type ServerEvent } from "./server-events.ts";
import { sleep } from "./sleep.ts";
import { startTrace } from "./stack-trace.ts";

/** The run whose output to read, with the query and the options of the call. */
export interface OutputCall {
  readonly id: string;
  readonly query: QueryOf<"runs.output">;
  readonly options: CallOptions;
  /** After this time without output or a heartbeat, the connection counts as broken. */
  readonly silenceMs?: number;
}

/**
 * Reads the output of one attempt up to its `end`. Reconnects after a broken connection: without limit while following,
 * otherwise as often as a GET is retried. Reading continues where each stream was read to. A former daemon starts both
 * streams again, and bytes received twice are dropped. So no stream has a gap or a repetition.
 */
export async function* readOutput(caller: Caller, call: OutputCall): AsyncGenerator<OutputItem, void, undefined> {
  const trace = startTrace();
  try {
    yield* readItems(caller, call);
  } catch (error) {
    throw trace(error);
  }
}

async function* readItems(
  caller: Caller,
  { id, query, options, silenceMs = silenceMaxMs }: OutputCall,
): AsyncGenerator<OutputItem, void, undefined> {
  const { stream = "both" } = query;
  const params = { id };
  // pin the attempt now: a later attempt may have begun when the connection breaks
  let attempt = query.attempt ?? lastAttempt(await caller.call("runs.get", { params, options }));
  const position = new OutputPosition(query);
  const failuresMax = query.follow === true ? Number.POSITIVE_INFINITY : caller.retries;
  for (let failures = 0; ;) {
    try {
      const response = await caller.stream("runs.output", {
        params,
        query: { ...query, stream, attempt, ...position.start() },
        options,
      });
      for await (const event of readEvents(response, { hasHeartbeats: false, silenceMs })) {
        const item = toItem(event);
        if (item === null) continue;
        if (item.kind === "end") return yield item;
        const fresh = position.take(item);
        if (fresh === null) continue;
        attempt ??= 1;
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

/** The data has the members of the contract's `OutputEvent`. Unknown events of a newer daemon are ignored. */
function toItem({ event, data }: ServerEvent): OutputItem | null {
  switch (event) {
    case "output": {
      const { base64, ...piece } = data as { stream: StreamName; offset: number; time?: string; base64: string };
      return { kind: "output", ...piece, bytes: Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) };
    }
    case "cut":
      return { kind: "cut", ...(data as { stream: StreamName; from: number; bytes: number }) };
    case "end":
      return { kind: "end", ...(data as { state: RunState }) };
    default:
      return null;
  }
}
