import type { Clock } from "../../kernel/time/clock.ts";

const windowMs = 5 * 60_000;
const bytesMin = 5 * 1024 * 1024;

/**
 * Passes the pieces of a backup on. Throws if the reader has taken less than 5 MiB in five minutes: a backup keeps its
 * copy of the database, and no other backup can be made meanwhile.
 */
export async function* refuseSlowReader(
  pieces: AsyncIterable<Uint8Array>,
  clock: Pick<Clock, "monotonicMs">,
): AsyncGenerator<Uint8Array> {
  let since = clock.monotonicMs();
  let bytes = 0;
  for await (const piece of pieces) {
    yield piece;
    bytes += piece.length;
    if (clock.monotonicMs() - since < windowMs) continue;
    if (bytes < bytesMin) throw new Error("the reader of the backup takes less than 1 MiB a minute");
    since = clock.monotonicMs();
    bytes = 0;
  }
}
