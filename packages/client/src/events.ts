import { createParser, type EventSourceMessage } from "eventsource-parser";
import { CompatibilityError, ConnectionError } from "./errors.ts";

/** One server-sent event, its data decoded. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: unknown;
}

/**
 * The events of a response until it ends, breaks (`ConnectionError`) or its reader stops; then it is closed. So it is when
 * nothing comes for `silenceMs`, not even a heartbeat, for a connection does not always show that its other end is gone.
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

/** A stream that broke cannot be cancelled any more, and need not be. */
function cancel(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  return reader.cancel().catch(() => undefined);
}

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  ms: number | undefined,
): Promise<Uint8Array | null> {
  // a cancelled reader answers its waiting read with the end of the stream
  const timer = ms === undefined ? undefined : setTimeout(() => void cancel(reader), ms);
  try {
    const { done, value } = await reader.read();
    return done ? null : value;
  } catch (cause) {
    throw new ConnectionError("The stream from the daemon broke.", { cause });
  } finally {
    clearTimeout(timer);
  }
}

function toServerEvent({ event = "message", id, data }: EventSourceMessage): ServerEvent {
  try {
    return { event, id: id ?? null, data: JSON.parse(data) };
  } catch {
    throw new CompatibilityError("An event is not JSON: is this a Belfry daemon?");
  }
}
