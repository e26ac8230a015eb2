import type { Clock } from "../time/clock.ts";
import { createLoop } from "../time/loop.ts";
import type { OpenDatabase } from "./database.ts";

export interface WalTruncationParts {
  readonly database: Pick<OpenDatabase, "emptyLog">;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export type WalTruncation = ReturnType<typeof createWalTruncation>;

/** The delay of a truncation. It serves all erasures of this time, because each truncation waits for the disk. */
const delayMs = 1_000;

/**
 * Truncates the write-ahead log after an erasure. `secure_delete` overwrites the bytes in the database, but the log
 * keeps them until it is truncated. While another program reads, the truncation fails without waiting, and is tried
 * again.
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
