import type { Clock } from "../../../kernel/time/clock.ts";

export interface SystemLookupParts {
  readonly clock: Pick<Clock, "after">;
  /** Every address of a name, as text. */
  readonly ask: (name: string) => Promise<readonly string[]>;
}

/** The system's lookup holds one of the process's few threads until it is done: a dead name server must not take them all. */
const atOnce = 2;
/** The longest wait for a lookup to start. After it, the daemon's resources count as exhausted, and no attempt was made. */
const turnWithinMs = 4_000;

interface PendingLookup {
  readonly answer: Promise<readonly string[]>;
  hasBegun: boolean;
}

/** Lookups by the system's resolver: one for each name, shared by all callers, at most two concurrent, the others queued. */
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

  /** Its place is kept: the next attempt joins the same lookup. */
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
