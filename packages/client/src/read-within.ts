import { ConnectionError } from "./errors.ts";

/** Three of the daemon's heartbeat intervals. A connection that stalls does not always break. */
export const silenceMaxMs = 45_000;

/** Nothing arrived for so long that the connection counts as broken. */
export class SilenceError extends ConnectionError {
  readonly silenceMs: number;

  constructor(silenceMs: number) {
    super(`The daemon sent nothing for ${silenceMs / 1_000} seconds.`);
    this.silenceMs = silenceMs;
  }
}

/** Reads the next part of an answer; null at its end. Throws if it does not arrive within `ms`; null is no limit. */
export async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  ms: number | null,
): Promise<Uint8Array | null> {
  let isSilent = false;
  const giveUp = () => {
    isSilent = true;
    // ends the pending read with `done`
    void reader.cancel().catch(() => undefined);
  };
  const timer = ms === null ? undefined : setTimeout(giveUp, ms);
  try {
    const { done, value } = await reader.read();
    if (isSilent && ms !== null) throw new SilenceError(ms);
    return done ? null : value;
  } catch (cause) {
    if (cause instanceof ConnectionError) throw cause;
    throw new ConnectionError("The connection to the daemon broke before the answer was complete.", { cause });
  } finally {
    clearTimeout(timer);
  }
}
