import type { Clock } from "../time/clock.ts";
import { createLoop } from "../time/loop.ts";
import type { OpenDatabase } from "./database.ts";

export interface WalTruncationParts {
  readonly database: Pick<OpenDatabase, "emptyLog">;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export type WalTruncation = ReturnType<typeof createWalTruncation>;

/** One truncation serves all erasures of this time: each costs a wait for the disk. */
const delayMs = 1_000;

/**
 * Truncates the write-ahead log after an erasure: `secure_delete` overwrites the bytes in the database, but the log keeps them
 * until it is truncated. A reader of the log is not waited for: the truncation is tried again.
 */
export function createWalTruncation({ database, clock, onError }: WalTruncationParts) {
  const again = { afterMs: delayMs };
  const loop = createLoop({
    clock,
    round: () => (database.emptyLog() ? null : again),
    onFailure: (error) => {
      onError(error);
      return again;
    },
  });
  return { request: (): void => loop.wakeWithin(delayMs), stop: loop.stop };
}
