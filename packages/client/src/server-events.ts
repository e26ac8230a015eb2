import { createParser, type EventSourceMessage } from "eventsource-parser";
import { CompatibilityError, ConnectionError } from "./errors.ts";

/** One server-sent event with its data decoded from JSON. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: unknown;
}

/**
 * Yields the events of a response until it ends, and closes the response if the reader stops. A broken connection throws a
 * `ConnectionError`. If nothing arrives for `silenceMs`, not even a heartbeat, the stream ends: a connection does not always
 * report that the other side is gone.
 */
export async function* readEvents(
  response: Response,
  silenceMs?: number,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  const events: ServerEvent[] = [];
  const parser = createParser({ onEvent: (message) => events.push(toServerEvent(message)) });
  try {
    for (;;) {
      const bytes = await readWithin(reader, silenceMs);
      if (bytes === null) return;
      parser.feed(decoder.decode(bytes, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    await cancel(reader);
  }
}

/** Cancelling a broken stream fails, which does not matter. */
function cancel(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  return reader.cancel().catch(() => undefined);
}

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  ms: number | undefined,
): Promise<Uint8Array | null> {
  // cancelling the reader ends its pending read with `done`
  const timer = ms === undefined ? undefined : setTimeout(() => void cancel(reader), ms);
  try {
    const { done, value } = await reader.read();
    return done ? null : value;
  } catch (cause) {
    throw new ConnectionError("The connection to the daemon broke during the stream.", { cause });
  } finally {
    clearTimeout(timer);
  }
}

function toServerEvent({ event = "message", id, data }: EventSourceMessage): ServerEvent {
  try {
    return { event, id: id ?? null, data: JSON.parse(data) };
  } catch {
    throw new CompatibilityError("An event of the stream is not JSON. Check that the server is a Belfry daemon.");
  }
}
