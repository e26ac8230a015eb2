import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Actor } from "../../kernel/operation.ts";
import type { Write } from "../../kernel/storage/write.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createLoop, type Next } from "../../kernel/time/loop.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { ActorStore, CredentialStore } from "./store.ts";
import type { ActorRow, CredentialRow } from "./table.ts";

export interface LastUseParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<never>;
  readonly actors: Pick<ActorStore, "update">;
  readonly credentials: Pick<CredentialStore, "update">;
}

export type LastUse = ReturnType<typeof createLastUse>;

const everyMs = 60_000;

/**
 * Remembers when actors and credentials were last used. The times are in memory and written once a minute, because a
 * write for each read would cost more than the read.
 */
export function createLastUse({ clock, log, write, actors, credentials }: LastUseParts) {
  const seen = new Map<string, Instant>();
  const used = new Map<string, Instant>();
  const loop = createLoop({ clock, round, onFailure: reportFailure });

  return {
    note: ({ id, credentialId }: Actor, now: Instant): void => {
      if (seen.size === 0) loop.wakeWithin(everyMs);
      seen.set(id, now);
      if (credentialId !== null) used.set(credentialId, now);
    },
    lastSeenOf: ({ id, lastSeenAt }: ActorRow): Instant | null => seen.get(id) ?? lastSeenAt,
    lastUsedOf: ({ id, lastUsedAt }: CredentialRow): Instant | null => used.get(id) ?? lastUsedAt,
    loop: {
      rounds: loop.rounds,
      // the first call of a minute starts the loop
      start: (): void => {},
      stop: async (): Promise<void> => {
        await loop.stop();
        try {
          round();
        } catch (error) {
          reportFailure(error);
        }
      },
    },
  };

  function round(): Next {
    if (seen.size === 0) return null;
    write(() => {
      for (const [id, lastSeenAt] of seen) actors.update(id, { lastSeenAt });
      for (const [id, lastUsedAt] of used) credentials.update(id, { lastUsedAt });
    });
    seen.clear();
    used.clear();
    return null;
  }

  /** The times stay in memory for the next try. */
  function reportFailure(error: unknown): Next {
    log.warn("access.last_use_not_written", { error: describeError(error) });
    return { afterMs: everyMs };
  }
}
