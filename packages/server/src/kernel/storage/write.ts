import type { Database as Sqlite } from "better-sqlite3";
import type { Clock } from "../time/clock.ts";
import type { Instant } from "../time/time.ts";
import { createWake } from "../time/wake.ts";

export interface AnyFact {
  readonly name: string;
  /** A secret was erased with it: its former bytes must leave the write-ahead log too. */
  readonly erases?: boolean;
}

/** One write: one transaction, one instant, and the facts recorded in it. Only a write makes one, so holding it proves the write. */
export interface Unit<F extends AnyFact = never> {
  readonly now: Instant;
  /** A property, not a method: methods compare loosely, and a room could then record what it may not. */
  readonly record: (fact: F) => void;
  /** Called when this write is undone, or one that shares its transaction: who remembers what rows say forgets it. */
  readonly onUndo: (forget: () => void) => void;
}

type Sync<T> = T extends PromiseLike<unknown> ? never : T;
/** Does the work and commits it before it returns. */
export type Write<F extends AnyFact> = <T>(work: (unit: Unit<F>) => Sync<T>) => T;
/** The same, with whatever else waits in this turn of the event loop: resolves when it is on disk. */
export type WriteSoon<F extends AnyFact> = <T>(work: (unit: Unit<F>) => Sync<T>) => Promise<T>;

/** What happens inside the transaction of a fact, in this order: rows are written, or all is refused by throwing. */
export type InTransaction<F extends AnyFact> = {
  readonly [N in F["name"]]?: readonly ((unit: Unit<F>, fact: Extract<F, { name: N }>) => void)[];
};
/** What happens once a fact is durable: events and wake-ups, which a crash may lose. */
export type AfterCommit<F extends AnyFact> = {
  readonly [N in F["name"]]?: readonly ((fact: Extract<F, { name: N }>) => void)[];
};

export interface Reactions<F extends AnyFact> {
  readonly inTransaction: InTransaction<F>;
  /** Before the listeners of the fact itself. */
  readonly afterEach?: (fact: F) => void;
  readonly afterCommit: AfterCommit<F>;
}

/** A reaction to a reaction to a reaction: deeper than this is a loop between modules. The number of facts is not bounded. */
const generationsMax = 16;
/** Calls that share one commit; the others take the next one. */
const groupMax = 64;

export interface WriteParts<F extends AnyFact> {
  readonly sqlite: Sqlite;
  readonly clock: Pick<Clock, "now">;
  /** Throws where what is committed now could not be found again. */
  readonly requireStorage?: () => void;
  /** None until `connect`, unless given. */
  readonly reactions?: Reactions<F>;
  /** A listener threw after the commit: the write stands. */
  readonly onListenerError: (error: unknown) => void;
}

interface Done<F> {
  readonly result: unknown;
  readonly facts: readonly F[];
}

interface Waiting<F extends AnyFact> {
  readonly work: (unit: Unit<F>) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface Writer<F extends AnyFact> {
  readonly write: Write<F>;
  readonly writeSoon: WriteSoon<F>;
  /** The modules write, and their reactions are listed once all of them are open: until then a fact has none. */
  readonly connect: (reactions: Reactions<F>) => void;
}

export function createWriter<F extends AnyFact>(parts: WriteParts<F>): Writer<F> {
  const { sqlite, clock } = parts;
  const begin = sqlite.prepare("BEGIN IMMEDIATE");
  const commit = sqlite.prepare("COMMIT");
  const rollback = sqlite.prepare("ROLLBACK");
  const mark = sqlite.prepare("SAVEPOINT one_call");
  const keep = sqlite.prepare("RELEASE one_call");
  const undo = sqlite.prepare("ROLLBACK TO one_call");
  const waiting: Waiting<F>[] = [];
  /** Of the transaction that goes on: to be called when any part of it is undone. */
  const forgets = new Set<() => void>();
  const wake = createWake(writeWaiting);
  let reactions: Reactions<F> = parts.reactions ?? { inTransaction: {}, afterCommit: {} };

  /** The work and all that its facts cause; the caller has begun what it happens in. */
  function perform(work: (unit: Unit<F>) => unknown): Done<F> {
    const facts: { readonly fact: F; readonly generation: number }[] = [];
    let generation = 0;
    const unit: Unit<F> = {
      now: clock.now(),
      record: (fact) => void facts.push({ fact, generation }),
      onUndo: (forget) => void forgets.add(forget),
    };
    const result = work(unit);
    for (const recorded of facts) {
      generation = recorded.generation + 1;
      if (generation > generationsMax) throw new Error(`reactions cause reactions without end: ${recorded.fact.name}`);
      for (const react of reactionsTo(reactions.inTransaction, recorded.fact)) react(unit, recorded.fact);
    }
    return { result, facts: facts.map(({ fact }) => fact) };
  }

  function inTransaction<T>(work: () => T): T {
    begin.run();
    forgets.clear();
    try {
      const result = work();
      parts.requireStorage?.();
      commit.run();
      return result;
    } catch (error) {
      // SQLite itself rolls back on some errors, a full disk among them
      if (sqlite.inTransaction) rollback.run();
      for (const forget of forgets) forget();
      throw error;
    }
  }

  /** Outside of every transaction: a listener that fails must not look like a write that failed. */
  function announce(facts: readonly F[]): void {
    for (const fact of facts) {
      if (reactions.afterEach !== undefined) listen(reactions.afterEach, fact);
      for (const listener of listenersOf(reactions.afterCommit, fact)) listen(listener, fact);
    }
  }

  function listen(listener: (fact: F) => void, fact: F): void {
    try {
      listener(fact);
    } catch (error) {
      parts.onListenerError(error);
    }
  }

  function write(work: (unit: Unit<F>) => unknown): unknown {
    const { result, facts } = inTransaction(() => perform(work));
    announce(facts);
    return result;
  }

  /** Each call by itself is whole or nothing; what they share is the wait for the disk, which is most of what a commit costs. */
  function writeWaiting(): void {
    const group = waiting.splice(0, groupMax);
    if (waiting.length > 0) wake.wake();
    if (group.length === 1) return writeAlone(group[0]!);
    const settled: (() => void)[] = [];
    let hasBegun = false;
    try {
      inTransaction(() => {
        hasBegun = true;
        for (const call of group) settled.push(performWithin(call));
      });
    } catch (error) {
      // what kept the first from beginning would keep each of them waiting anew
      if (!hasBegun) return group.forEach(({ reject }) => reject(error));
      // the shared transaction is lost, and nobody was told of it: each call for itself
      return group.forEach(writeAlone);
    }
    for (const settle of settled) settle();
  }

  function performWithin(call: Waiting<F>): () => void {
    mark.run();
    try {
      const { result, facts } = perform(call.work);
      keep.run();
      return () => {
        announce(facts);
        call.resolve(result);
      };
    } catch (error) {
      if (!sqlite.inTransaction) throw error;
      undo.run();
      keep.run();
      for (const forget of forgets) forget();
      return () => call.reject(error);
    }
  }

  function writeAlone({ work, resolve, reject }: Waiting<F>): void {
    try {
      resolve(write(work));
    } catch (error) {
      reject(error);
    }
  }

  return {
    // both hand the work's own result back, whatever it is
    write: write as Write<F>,
    writeSoon: ((work: (unit: Unit<F>) => unknown) =>
      new Promise<unknown>((resolve, reject) => {
        waiting.push({ work, resolve, reject });
        wake.wake();
      })) as WriteSoon<F>,
    connect: (all) => {
      reactions = all;
    },
  };
}

/** Safe because the table is indexed by `F["name"]`, and a fact is only ever handed to the list under its own name. */
function reactionsTo<F extends AnyFact>(
  table: InTransaction<F>,
  fact: F,
): readonly ((unit: Unit<F>, fact: F) => void)[] {
  return (table as unknown as Record<string, readonly ((unit: Unit<F>, fact: F) => void)[]>)[fact.name] ?? [];
}

/** Safe for the same reason. */
function listenersOf<F extends AnyFact>(table: AfterCommit<F>, fact: F): readonly ((fact: F) => void)[] {
  return (table as unknown as Record<string, readonly ((fact: F) => void)[]>)[fact.name] ?? [];
}
