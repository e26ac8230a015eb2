import type { Database as Sqlite } from "better-sqlite3";
import type { Clock } from "../time/clock.ts";
import type { Instant } from "../time/time.ts";
import { createWake } from "../time/wake.ts";

export interface AnyFact {
  readonly name: string;
  /** A secret was erased: its former bytes must be removed from the write-ahead log too. */
  readonly erases?: boolean;
}

/** One write: one transaction, one instant, and the facts recorded in it. Only a write creates a unit, so a function that has one runs inside a write. */
export interface Unit<F extends AnyFact = never> {
  readonly now: Instant;
  /** A property, not a method: methods are compared bivariantly, and a module could then record a fact of another. */
  readonly record: (fact: F) => void;
  /** Called when this write is undone: what it changed in memory is changed back. */
  readonly onUndo: (forget: () => void) => void;
}

type Sync<T> = T extends PromiseLike<unknown> ? never : T;

/** A write that is done shortly before its instant, and committed at it. */
export interface CommitAt {
  /** The instant of the write. It must be at most `commitWaitMaxMs` ahead. */
  readonly at: Instant;
  /** Called when the work is done, with the time until the commit; negative if the instant has passed. */
  readonly onReady: (leftMs: number) => void;
}

/** Does the work and commits it before it returns. */
export type Write<F extends AnyFact> = <T>(work: (unit: Unit<F>) => Sync<T>, commit?: CommitAt) => T;
/**
 * Does the work in one commit with other writes of this turn of the event loop; resolves when the commit is on disk.
 */
export type WriteSoon<F extends AnyFact> = <T>(work: (unit: Unit<F>) => Sync<T>) => Promise<T>;

/**
 * The reactions inside the transaction of a fact, in this order. They write rows, or reject the whole write by
 * throwing.
 */
export type InTransaction<F extends AnyFact> = {
  readonly [N in F["name"]]?: readonly ((unit: Unit<F>, fact: Extract<F, { name: N }>) => void)[];
};
/** The listeners that are called once a fact is durable: events and wake-ups, which a crash may lose. */
export type AfterCommit<F extends AnyFact> = {
  readonly [N in F["name"]]?: readonly ((fact: Extract<F, { name: N }>) => void)[];
};

export interface Reactions<F extends AnyFact> {
  readonly inTransaction: InTransaction<F>;
  /** Called before the listeners of the fact itself. */
  readonly afterEach?: (fact: F) => void;
  readonly afterCommit: AfterCommit<F>;
}

/**
 * The maximum depth of reactions that cause reactions: more is a loop between modules. The number of facts is not
 * bounded.
 */
const generationsMax = 16;
/** The most calls that share one commit; the others share the next one. */
const groupMax = 64;
/** The longest time that a write waits for its instant. Nothing else runs meanwhile. */
export const commitWaitMaxMs = 50;

/** The clock was set back while a write waited for its instant. The write is undone. */
export class ClockSetBackError extends Error {}

export interface WriteParts<F extends AnyFact> {
  readonly sqlite: Sqlite;
  readonly clock: Pick<Clock, "now" | "block">;
  /** Throws if a commit now would be lost. */
  readonly requireStorage?: () => void;
  /** None until `connect`, unless given. */
  readonly reactions?: Reactions<F>;
  /** Called if a listener throws after the commit; the write stays committed. */
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
  /** Whether a write is open, whose changes may still be undone. */
  readonly isWriting: () => boolean;
  /** Sets the reactions once all modules are open. Until then, modules can write, but their facts have no reactions. */
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
  /** The callbacks of each call in the current transaction, for when the call or the whole transaction is undone. */
  const forgets: Set<() => void>[] = [];
  const wake = createWake(writeWaiting);
  let isWriting = false;
  let reactions: Reactions<F> = parts.reactions ?? { inTransaction: {}, afterCommit: {} };

  /** Runs the work and the reactions to its facts; the caller has begun the transaction. */
  function perform(work: (unit: Unit<F>) => unknown, now = clock.now()): Done<F> {
    const facts: { readonly fact: F; readonly generation: number }[] = [];
    let generation = 0;
    const own = new Set<() => void>();
    forgets.push(own);
    const unit: Unit<F> = {
      now,
      record: (fact) => void facts.push({ fact, generation }),
      onUndo: (forget) => void own.add(forget),
    };
    const result = work(unit);
    for (const recorded of facts) {
      generation = recorded.generation + 1;
      if (generation > generationsMax)
        throw new Error(`reactions cause further reactions without end: ${recorded.fact.name}`);
      for (const react of reactionsTo(reactions.inTransaction, recorded.fact)) react(unit, recorded.fact);
    }
    return { result, facts: facts.map(({ fact }) => fact) };
  }

  function inTransaction<T>(work: () => T): T {
    begin.run();
    isWriting = true;
    forgets.length = 0;
    try {
      const result = work();
      parts.requireStorage?.();
      commit.run();
      return result;
    } catch (error) {
      // SQLite itself rolls back on some errors, a full disk among them
      if (sqlite.inTransaction) rollback.run();
      while (forgets.length > 0) forgetLast();
      throw error;
    } finally {
      isWriting = false;
    }
  }

  function forgetLast(): void {
    for (const forget of forgets.pop() ?? []) forget();
  }

  /** Calls the listeners outside of every transaction: a listener that fails must not look like a write that failed. */
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

  function write(work: (unit: Unit<F>) => unknown, commitAt?: CommitAt): unknown {
    const { result, facts } = inTransaction(() => {
      const done = perform(work, commitAt?.at);
      if (commitAt !== undefined) waitUntil(commitAt);
      return done;
    });
    announce(facts);
    return result;
  }

  /** Blocks this thread, so that nobody sees or changes anything between the work and its commit. */
  function waitUntil({ at, onReady }: CommitAt): void {
    onReady(at - clock.now());
    for (let leftMs = at - clock.now(); leftMs > 0; leftMs = at - clock.now()) {
      if (leftMs > commitWaitMaxMs || clock.block === undefined)
        throw new ClockSetBackError(`the clock is ${leftMs} ms before the instant of this write`);
      // the clock counts whole milliseconds
      clock.block(Math.max(leftMs - 1, 0.1));
    }
  }

  /**
   * Commits the waiting calls together. Each call is atomic by itself; they share the wait for the disk, which is most
   * of the cost of a commit.
   */
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
      // an error that the first call met at the start would delay each of the others too
      if (!hasBegun) return group.forEach(({ reject }) => reject(error));
      // the shared transaction is lost and nothing was answered: each call runs by itself
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
      forgetLast();
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
    // both return the result of the work
    write: write as Write<F>,
    writeSoon: ((work: (unit: Unit<F>) => unknown) =>
      new Promise<unknown>((resolve, reject) => {
        waiting.push({ work, resolve, reject });
        wake.wake();
      })) as WriteSoon<F>,
    isWriting: () => isWriting,
    connect: (all) => {
      reactions = all;
    },
  };
}

/** Safe because the table is indexed by `F["name"]`, and a fact is passed only to the list under its own name. */
function reactionsTo<F extends AnyFact>(
  table: InTransaction<F>,
  fact: F,
): readonly ((unit: Unit<F>, fact: F) => void)[] {
  return (table as unknown as Record<string, readonly ((unit: Unit<F>, fact: F) => void)[]>)[fact.name] ?? [];
}

/** Safe for the same reason as `reactionsTo`. */
function listenersOf<F extends AnyFact>(table: AfterCommit<F>, fact: F): readonly ((fact: F) => void)[] {
  return (table as unknown as Record<string, readonly ((fact: F) => void)[]>)[fact.name] ?? [];
}
