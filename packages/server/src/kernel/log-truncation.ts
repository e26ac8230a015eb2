import type { Database as Sqlite } from "better-sqlite3";
import type { Clock, Timer } from "./clock.ts";

export interface LogTruncationParts {
  readonly sqlite: Sqlite;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export type LogTruncation = ReturnType<typeof createLogTruncation>;

/** What was erased within so long goes at once: each time costs a wait for the disk. */
const delayMs = 1_000;
const busyTimeoutMs = 5_000;

/**
 * Empties the write-ahead log after something was erased: `secure_delete` overwrites it in the database, but its bytes stay in
 * the log until that is truncated. A reader that is in the middle of it is not waited for; it is tried again.
 */
export function createLogTruncation({ sqlite, clock, onError }: LogTruncationParts) {
  let timer: Timer | null = null;
  let isStopped = false;

  function arm(): void {
    if (isStopped) return;
    timer ??= clock.after(delayMs, () => {
      timer = null;
      try {
        if (!truncate()) arm();
      } catch (error) {
        onError(error);
        arm();
      }
    });
  }

  /** Whether all of it is gone. */
  function truncate(): boolean {
    sqlite.pragma("busy_timeout = 0");
    try {
      const [row] = sqlite.pragma("wal_checkpoint(TRUNCATE)") as [{ readonly busy: number }];
      return row.busy === 0;
    } finally {
      sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`);
    }
  }

  return {
    request: arm,
    stop: (): void => {
      isStopped = true;
      timer?.cancel();
    },
  };
}
