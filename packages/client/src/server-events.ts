import { createParser, type EventSourceMessage } from "eventsource-parser";
import { CompatibilityError } from "./errors.ts";
import { readWithin, silenceMaxMs } from "./read-within.ts";

/** One server-sent event with its data decoded from JSON. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: unknown;
}

/** What is known of a stream before it begins. */
export interface StreamOptions {
  /** Whether the daemon surely sends heartbeats. Otherwise, the limit of silence holds after the first heartbeat only: former daemons send none. */
  readonly hasHeartbeats: boolean;
  readonly silenceMs?: number;
}

/**
 * Yields the events of a response until it ends, and closes the response if the reader stops. Throws a `ConnectionError` if
 * the connection breaks, or if nothing arrives for `silenceMs`, not even a heartbeat: a connection does not always report
 * that the other side is gone.
 */
export async function* readEvents(
  response: Response,
  { hasHeartbeats, silenceMs = silenceMaxMs }: StreamOptions,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let isLimited = hasHeartbeats;
  const decoder = new TextDecoder();
  const events: ServerEvent[] = [];
  const parser = createParser({
    onEvent: (message) => events.push(toServerEvent(message)),
    onComment: () => (isLimited = true),
  });
  try {
    for (;;) {
      const bytes = await readWithin(reader, isLimited ? silenceMs : null);
      if (bytes === null) return;
      parser.feed(decoder.decode(bytes, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    // cancelling a broken stream fails, which does not matter
    await reader.cancel().catch(() => undefined);
  }
}

function toServerEvent({ event = "message", id, data }: EventSourceMessage): ServerEvent {
  try {
    return { event, id: id ?? null, data: JSON.parse(data) };
  } catch {
    throw new CompatibilityError("An event of the stream is not JSON. Check that the server is a Belfry daemon.");
  }
}
