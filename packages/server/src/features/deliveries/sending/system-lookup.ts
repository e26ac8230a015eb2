import type { Clock } from "../../../kernel/time/clock.ts";

export interface SystemLookupParts {
  readonly clock: Pick<Clock, "after">;
  /** Finds every address of a name, as text. */
  readonly ask: (name: string) => Promise<readonly string[]>;
}

/**
 * The maximum number of concurrent lookups. Each one blocks a thread of the process, which has few: a dead name server
 * must not block all of them.
 */
const atOnce = 2;
/** The longest wait for a lookup to start. After it, the daemon's resources count as exhausted, and no attempt was made. */
const turnWithinMs = 4_000;

interface PendingLookup {
  readonly answer: Promise<readonly string[]>;
  hasBegun: boolean;
}

/**
 * Looks names up with the system's resolver. All callers share one lookup for each name. At most two lookups run at a
 * time, and the others are queued.
 */
export function createSystemLookup({ clock, ask }: SystemLookupParts) {
  const pending = new Map<string, PendingLookup>();
  const waiting: (() => void)[] = [];
  let busy = 0;

  return (name: string): Promise<readonly string[]> => {
    const lookingUp = pending.get(name) ?? begin(name);
    return lookingUp.hasBegun ? lookingUp.answer : orNoTurn(lookingUp);
  };

  function begin(name: string): PendingLookup {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    const own: PendingLookup = { answer: promise, hasBegun: false };
    // the caller may have given up
    promise.catch(() => {});
    pending.set(name, own);
    waiting.push(() => {
      own.hasBegun = true;
      void ask(name)
        .then(resolve, reject)
        .finally(() => {
          busy--;
          pending.delete(name);
          takeTurns();
        });
    });
    takeTurns();
    return own;
  }

  function takeTurns(): void {
    while (busy < atOnce && waiting.length > 0) {
      busy++;
      waiting.shift()!();
    }
  }

  /** Stops waiting for a lookup that does not start in time. The lookup stays queued, and the next attempt joins it. */
  function orNoTurn(lookingUp: PendingLookup): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const timer = clock.after(turnWithinMs, () => {
        if (lookingUp.hasBegun) return;
        reject(Object.assign(new Error("the system's lookup threads are all in use"), { code: "EAGAIN" }));
      });
      void lookingUp.answer.then(resolve, reject).finally(timer.cancel);
    });
  }
}
