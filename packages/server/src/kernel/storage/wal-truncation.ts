import type { Clock, Timer } from "../time/clock.ts";
import type { OpenDatabase } from "./database.ts";

export interface WalTruncationParts {
  readonly database: Pick<OpenDatabase, "emptyLog">;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export type WalTruncation = ReturnType<typeof createWalTruncation>;

/** What was erased within so long goes at once: each time costs a wait for the disk. */
const delayMs = 1_000;

/**
 * Empties the write-ahead log after something was erased: `secure_delete` overwrites it in the database, but its bytes stay in
 * the log until that is truncated. A reader that is in the middle of it is not waited for; it is tried again.
 */
export function createWalTruncation({ database, clock, onError }: WalTruncationParts) {
  let timer: Timer | null = null;
  let isStopped = false;

  function arm(): void {
    if (isStopped) return;
    timer ??= clock.after(delayMs, () => {
      timer = null;
      try {
        if (!database.emptyLog()) arm();
      } catch (error) {
        onError(error);
        arm();
      }
    });
  }

  return {
    request: arm,
    stop: (): void => {
      isStopped = true;
      timer?.cancel();
    },
  };
}
