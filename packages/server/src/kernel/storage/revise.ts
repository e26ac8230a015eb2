import type { Instant } from "../time/time.ts";
import { changedMembers, type Members } from "./change.ts";
import type { AnyFact, Unit } from "./write.ts";

/** A row whose changes are counted. */
export interface Revised {
  readonly updatedAt: Instant;
  readonly revision: number;
}

export interface ReviseParts<R extends Revised, F extends AnyFact> {
  readonly members: Members;
  readonly update: (row: R, columns: Partial<R>) => void;
  readonly fact: (row: R, changed: readonly string[]) => F;
}

/** A change with the names of its members, if these do not follow from the columns. */
export interface NamedChange<R> {
  readonly change: Partial<R>;
  readonly changed: readonly string[];
}

/**
 * Creates the only function that changes rows. It writes the columns, the next revision and the time of the change, and
 * records the fact. If nothing changes, it does nothing. A fact about a sealed member requests the erasure of the
 * former value.
 */
export function createRevise<R extends Revised, F extends AnyFact>({ members, update, fact }: ReviseParts<R, F>) {
  const reviseNamed = (unit: Unit<F>, row: R, { change, changed }: NamedChange<R>): R => {
    if (changed.length === 0) return row;
    const columns = { ...change, updatedAt: unit.now, revision: row.revision + 1 };
    update(row, columns);
    const next = { ...row, ...columns };
    unit.record({ ...fact(next, changed), erases: changed.some((member) => members.sealed.has(member)) });
    return next;
  };
  const changesOf = (row: R, change: Partial<R>): readonly string[] => changedMembers(row, change, members);
  return {
    changesOf,
    reviseNamed,
    revise: (unit: Unit<F>, row: R, change: Partial<R>): R =>
      reviseNamed(unit, row, { change, changed: changesOf(row, change) }),
  };
}
