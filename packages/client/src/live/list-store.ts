import type { Hint } from "@belfry/contract";
import type { Resync } from "../api/events.ts";
import { BelfryError } from "../errors.ts";
import { isTransient } from "../retry.ts";
import type { EventFeed } from "./event-feed.ts";
import type { LiveList, LiveListSnapshot, LiveListState, WatchOptions } from "./live-list.ts";
import { keepSame } from "./keep-same.ts";
import { type Held, mergeItems, planReads, type Reads, type Selection } from "./plan-reads.ts";
import type { Watchable, WatchItem } from "./watchable.ts";

const pauseDefaultMs = 500;
/** Events that wait for the next read. After more of them, everything is read again. */
const hintsMax = 256;

/** The reads of one kind of list. */
export interface ListReader<T> {
  /** Reads the newest items. */
  readonly list: (signal: AbortSignal) => Promise<Held<T>>;
  /** Reads one item; null if it does not exist. */
  readonly item: (id: string, signal: AbortSignal) => Promise<T | null>;
}

/** What a live list needs. */
export interface ListStoreParts<W extends Watchable> {
  readonly feed: EventFeed;
  readonly selection: Selection<W>;
  readonly reader: ListReader<WatchItem<W>>;
  readonly delayMs: (failures: number) => number;
  readonly options: WatchOptions;
}

type Waiter = PromiseWithResolvers<void>;

/**
 * A list that is kept true: the stream of events is opened first, and then everything is read, so that no change is missed
 * between both. An event leads to a read, because it may be outdated. Reads never overlap, so that an older answer cannot
 * replace a newer one, and what happens during a read is read afterwards.
 */
export class ListStore<W extends Watchable> implements LiveList<WatchItem<W>> {
  readonly #parts: ListStoreParts<W>;
  readonly #pauseMs: number;
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  readonly #leaveFeed: () => Promise<void>;
  #snapshot: LiveListSnapshot<WatchItem<W>> = { items: [], hasMore: false, state: { kind: "loading" } };
  /** The events since the last read began; null if everything must be read. */
  #hints: Hint[] | null = [];
  /** The calls of `refresh` that have no result yet. */
  readonly #waiters = new Set<Waiter>();
  /** Which connection of the stream it is; null while there is none. */
  #connection: object | null = null;
  #round: Promise<void> | null = null;
  #left: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #readsAgainAt = 0;
  #failures = 0;

  constructor(parts: ListStoreParts<W>) {
    this.#parts = parts;
    this.#pauseMs = parts.options.pauseMs ?? pauseDefaultMs;
    this.#leaveFeed = parts.feed.join({
      onEvent: (event) => this.#onEvent(event),
      onBreak: (error, since) => {
        this.#connection = null;
        this.#becomeStale(error, since);
      },
      onEnd: (error) => this.#end(error),
    });
    const { signal } = parts.options;
    const onAbort = () => void this.close();
    signal?.addEventListener("abort", onAbort, { signal: this.#closing.signal });
    if (signal?.aborted === true) onAbort();
  }

  readonly getSnapshot = (): LiveListSnapshot<WatchItem<W>> => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    // the same function may be given twice
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  };

  readonly refresh = (): Promise<void> => {
    const { state } = this.#snapshot;
    if (state.kind === "ended") return Promise.reject(state.error ?? closed());
    const waiter: Waiter = Promise.withResolvers();
    this.#waiters.add(waiter);
    this.#hints = null;
    this.#readsAgainAt = 0;
    this.#parts.feed.wake();
    this.#schedule();
    return waiter.promise;
  };

  readonly close = async (): Promise<void> => {
    this.#end(null);
    await Promise.all([this.#left, this.#round]);
  };

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #onEvent(event: Hint | Resync): void {
    if (event.kind === "resync") {
      this.#hints = null;
      if (event.reason === "connected") {
        this.#connection = {};
        this.#readsAgainAt = 0;
        this.#failures = 0;
      }
    } else if (this.#concerns(event)) {
      if (this.#hints?.length === hintsMax) this.#hints = null;
      this.#hints?.push(event);
    } else return;
    this.#schedule();
  }

  #concerns({ kind }: Hint): boolean {
    const { definition, query } = this.#parts.selection;
    if (kind === definition.kind || definition.touches?.[kind] !== undefined) return true;
    return Object.keys(query).some((name) => definition.others?.[name]?.includes(kind));
  }

  /** Reads as soon as it may, unless it reads already. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#connection === null || this.#round !== null || this.#closing.signal.aborted) return;
    if (this.#hints?.length === 0) return;
    const waitMs = this.#waiters.size > 0 ? 0 : this.#readsAgainAt - performance.now();
    const start = () => {
      this.#round = this.#read().finally(() => {
        this.#round = null;
        this.#schedule();
      });
    };
    this.#timer = setTimeout(start, Math.max(0, waitMs));
  }

  async #read(): Promise<void> {
    const { selection, delayMs } = this.#parts;
    const hints = this.#hints;
    const waiters = [...this.#waiters];
    const connection = this.#connection;
    const begunAt = new Date();
    const startMs = performance.now();
    this.#hints = [];
    try {
      const reads: Reads = hints === null ? { kind: "list" } : planReads(selection, this.#snapshot, hints);
      const { isComplete, held } = await this.#carryOut(reads);
      if (this.#closing.signal.aborted) return;
      this.#failures = 0;
      if (!isComplete) this.#hints = null;
      this.#show(held, this.#stateAfter(reads, { isCurrent: connection === this.#connection && isComplete, begunAt }));
      for (const waiter of waiters) {
        waiter.resolve();
        this.#waiters.delete(waiter);
      }
      const endMs = performance.now();
      // a slow daemon is asked less often
      this.#readsAgainAt = endMs + Math.max(this.#pauseMs, endMs - startMs);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#hints = null;
      const failure = error instanceof Error ? error : new Error(String(error));
      if (!isTransient(failure)) return this.#end(failure);
      this.#failures += 1;
      this.#readsAgainAt = performance.now() + delayMs(this.#failures);
      this.#becomeStale(failure, begunAt);
    }
  }

  async #carryOut(reads: Reads): Promise<{ readonly isComplete: boolean; readonly held: Held<WatchItem<W>> }> {
    const { reader, selection } = this.#parts;
    const { signal } = this.#closing;
    if (reads.kind === "list") return { isComplete: true, held: await reader.list(signal) };
    const found = await Promise.all(reads.ids.map(async (id) => [id, await reader.item(id, signal)] as const));
    const deleted = [...reads.deleted].map((id) => [id, null] as const);
    return mergeItems(selection, this.#snapshot, new Map([...deleted, ...found]));
  }

  #stateAfter(
    { kind }: Reads,
    { isCurrent, begunAt }: { readonly isCurrent: boolean; readonly begunAt: Date },
  ): LiveListState {
    const { state } = this.#snapshot;
    if (isCurrent) return { kind: "live" };
    return state.kind === "stale" && kind === "list" ? { ...state, since: begunAt } : state;
  }

  /** `since`: until when the items were true, if they were until now. */
  #becomeStale(error: Error, since: Date): void {
    const { state } = this.#snapshot;
    const former = state.kind === "stale" ? state.since : null;
    this.#show(this.#snapshot, { kind: "stale", since: state.kind === "live" ? since : former, error });
    this.#rejectWaiters(error);
  }

  #end(error: Error | null): void {
    if (this.#closing.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#closing.abort();
    this.#left = this.#leaveFeed();
    this.#hints = [];
    this.#show(this.#snapshot, { kind: "ended", error });
    this.#listeners.clear();
    this.#rejectWaiters(error ?? closed());
  }

  #rejectWaiters(error: Error): void {
    for (const { reject } of this.#waiters) reject(error);
    this.#waiters.clear();
  }

  #show({ items, hasMore }: Held<WatchItem<W>>, state: LiveListState): void {
    const before = this.#snapshot;
    const after = { items: keepSame(before.items, items), hasMore, state: keepState(before.state, state) };
    if (after.items === before.items && hasMore === before.hasMore && after.state === before.state) return;
    this.#snapshot = after;
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        // a listener that fails is reported as any uncaught error, and does not stop the list
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

function keepState(before: LiveListState, after: LiveListState): LiveListState {
  return before.kind === "live" && after.kind === "live" ? before : after;
}

function closed(): BelfryError {
  return new BelfryError("The list was closed.");
}
