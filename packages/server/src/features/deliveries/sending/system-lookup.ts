import type { Clock } from "../../../kernel/time/clock.ts";

export interface SystemLookupParts {
  readonly clock: Pick<Clock, "after">;
  /** Every address of a name, as text. */
  readonly ask: (name: string) => Promise<readonly string[]>;
}

/** The system's lookup holds one of the process's few threads until it is done: a dead name server must not take them all. */
const atOnce = 2;
/** Who has waited so long for a turn is told so: it is the daemon that lacks the means, and no attempt was made. */
const turnWithinMs = 4_000;

interface Asked {
  readonly answer: Promise<readonly string[]>;
  hasBegun: boolean;
}

/** Names asked of the system itself: one lookup a name, however many want it, two at once, and the others in their order. */
export function createSystemLookup({ clock, ask }: SystemLookupParts) {
  const asked = new Map<string, Asked>();
  const waiting: (() => void)[] = [];
  let busy = 0;

  return (name: string): Promise<readonly string[]> => {
    const lookingUp = asked.get(name) ?? begin(name);
    return lookingUp.hasBegun ? lookingUp.answer : orNoTurn(lookingUp);
  };

  function begin(name: string): Asked {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    const own: Asked = { answer: promise, hasBegun: false };
    // who asked may have gone
    promise.catch(() => {});
    asked.set(name, own);
    waiting.push(() => {
      own.hasBegun = true;
      void ask(name)
        .then(resolve, reject)
        .finally(() => {
          busy--;
          asked.delete(name);
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
  function orNoTurn(lookingUp: Asked): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const timer = clock.after(turnWithinMs, () => {
        if (lookingUp.hasBegun) return;
        reject(Object.assign(new Error("the system's lookup threads are all in use"), { code: "EAGAIN" }));
      });
      void lookingUp.answer.then(resolve, reject).finally(timer.cancel);
    });
  }
}
