import type { Database as Sqlite } from "better-sqlite3";
import type { Clock } from "./clock.ts";
import type { Instant } from "./time.ts";

export interface AnyFact {
  readonly name: string;
}

/** One write: one transaction, one instant, and the facts recorded in it. Only a write makes one, so holding it proves the write. */
export interface Unit<F extends AnyFact = never> {
  readonly now: Instant;
  /** A property, not a method: methods compare loosely, and a room could then record what it may not. */
  readonly record: (fact: F) => void;
}

type Sync<T> = T extends PromiseLike<unknown> ? never : T;
export type Write<F extends AnyFact> = <T>(work: (unit: Unit<F>) => Sync<T>) => T;

/** For each fact, what happens inside the transaction: rows are written or all is refused by throwing. */
export type InTransaction<F extends AnyFact> = {
  readonly [N in F["name"]]: readonly ((unit: Unit<F>, fact: Extract<F, { name: N }>) => void)[];
};
/** For each fact, who is told once it is durable: hints and wake-ups, which may be lost. */
export type AfterCommit<F extends AnyFact> = {
  readonly [N in F["name"]]: readonly ((fact: Extract<F, { name: N }>) => void)[];
};

/** A reaction to a reaction to a reaction: deeper than this is a loop between rooms. The number of facts is not bounded. */
const generationsMax = 16;

export interface WriteParts<F extends AnyFact> {
  readonly sqlite: Sqlite;
  readonly clock: Pick<Clock, "now">;
  readonly inTransaction: InTransaction<F>;
  readonly afterCommit: AfterCommit<F>;
  /** What a tell threw: it is logged and goes no further. */
  readonly onTellError: (error: unknown) => void;
}

export function createWrite<F extends AnyFact>(parts: WriteParts<F>): Write<F> {
  const { sqlite, clock } = parts;
  const begin = sqlite.prepare("BEGIN IMMEDIATE");
  const commit = sqlite.prepare("COMMIT");
  const rollback = sqlite.prepare("ROLLBACK");

  return (work) => {
    const facts: { readonly fact: F; readonly generation: number }[] = [];
    let generation = 0;
    const unit: Unit<F> = { now: clock.now(), record: (fact) => void facts.push({ fact, generation }) };
    begin.run();
    let result;
    try {
      result = work(unit);
      for (const recorded of facts) {
        generation = recorded.generation + 1;
        if (generation > generationsMax) throw new Error(`reactions do not settle: ${recorded.fact.name}`);
        for (const react of reactionsTo(parts.inTransaction, recorded.fact)) react(unit, recorded.fact);
      }
      commit.run();
    } catch (error) {
      // SQLite itself rolls back on some errors, a full disk among them
      if (sqlite.inTransaction) rollback.run();
      throw error;
    }
    // outside the try: a tell that fails must not look like a write that failed
    for (const { fact } of facts) {
      for (const tell of tellsOf(parts.afterCommit, fact)) {
        try {
          tell(fact);
        } catch (error) {
          parts.onTellError(error);
        }
      }
    }
    return result;
  };
}

/** Safe because the table is indexed by `F["name"]`, and a fact is only ever handed to the list under its own name. */
function reactionsTo<F extends AnyFact>(table: InTransaction<F>, fact: F): readonly ((unit: Unit<F>, fact: F) => void)[] {
  return (table as unknown as Record<string, readonly ((unit: Unit<F>, fact: F) => void)[]>)[fact.name] ?? [];
}

/** Safe for the same reason. */
function tellsOf<F extends AnyFact>(table: AfterCommit<F>, fact: F): readonly ((fact: F) => void)[] {
  return (table as unknown as Record<string, readonly ((fact: F) => void)[]>)[fact.name] ?? [];
}
