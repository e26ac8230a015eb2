import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { Unit, Write } from "../../kernel/storage/write.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { createWake } from "../../kernel/time/wake.ts";
import { type Fault, findFaultAtEnds, findFaultInCount, findFaultInOrder } from "./faults.ts";
import type { Head, Mark, MarkSeal } from "./marks.ts";
import type { AuditStore } from "./store.ts";
import type { AuditRow } from "./table.ts";

export interface ChainHeadParts {
  readonly store: AuditStore;
  readonly seal: MarkSeal;
  readonly write: Write<never>;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

export type ChainHead = ReturnType<typeof createChainHead>;

/**
 * The newest row of the chain, in memory and in the database. A new row follows this head and not the newest row that is
 * found, so a row that another program appended never becomes part of the chain.
 */
export function createChainHead({ store, seal, write, clock, log }: ChainHeadParts) {
  /** Null if it must be read again, because a write was undone. */
  let head: Head | null = null;
  /** Not part of `head`, because it holds even if the write that noticed it is undone. */
  let tamperedAt: Instant | null = null;
  const reported = new Set<Fault["fault"]>();
  const persist = createWake(() => {
    try {
      write((unit) => save(unit, read()));
    } catch (error) {
      // the next row writes the head too
      log.warn("audit.head_not_written", { error: describeError(error) });
    }
  });

  return {
    read: (): Head => ({ ...read(), tamperedAt }),
    advance: (unit: Unit, mark: Mark): void => {
      const last = read();
      if (mark.number !== last.number + 1) report({ fault: "number_skipped", ...mark });
      save(unit, { ...last, ...mark });
    },
    report: (fault: Fault): void => {
      // an earlier time may be in the database only
      read();
      report(fault);
    },
    /** Checks both ends of the trail and the number of rows between them, and reports what it finds. */
    check: (): void => {
      const fault = findFaultAtEnds(store, seal, read()) ?? findFaultInCount(store, read());
      if (fault !== null) report(fault);
    },
    /** Checks a page of the whole trail, and the ends with its first page. */
    checkPage: (rows: readonly AuditRow[], { isFirst }: { readonly isFirst: boolean }): void => {
      const fault = findFaultInOrder(store, rows) ?? (isFirst ? findFaultAtEnds(store, seal, read()) : null);
      if (fault !== null) report(fault);
    },
  };

  function read(): Head {
    if (head !== null) return head;
    const stored = store.findHead();
    if (stored !== undefined && seal.isGenuineHead(stored)) {
      tamperedAt ??= stored.tamperedAt;
      const { number, hash, authenticatedSince } = stored;
      head = { number, hash, authenticatedSince, tamperedAt };
    } else {
      report({
        fault: stored === undefined ? "head_missing" : "head_changed",
        number: stored?.number ?? null,
        hash: stored?.hash ?? null,
      });
      // the true head is unknown, and a daemon that recorded nothing more would hide more than it protects
      const newest = store.findNewest() ?? store.findAnchor();
      const { number, hash } = newest ?? { number: 0, hash: null };
      head = { number, hash, authenticatedSince: clock.now(), tamperedAt };
    }
    return head;
  }

  function save(unit: Unit, { number, hash, authenticatedSince }: Head): void {
    unit.onUndo(forget);
    head = { number, hash, authenticatedSince, tamperedAt };
    store.setHead(seal.sealHead(head));
  }

  function forget(): void {
    head = null;
  }

  /** Keeps a fault as evidence: its first time is part of the head from now on. */
  function report(fault: Fault): void {
    tamperedAt ??= clock.now();
    if (reported.has(fault.fault)) return;
    reported.add(fault.fault);
    log.error("audit.tampered", { ...fault });
    persist.wake();
  }
}
