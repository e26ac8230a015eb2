/**
 * The state of a live list:
 *
 * - *loading*: nothing has been read yet. It changes to *live* after the first read, to *stale* after a temporary failure,
 *   and to *ended* after any other failure.
 * - *live*: the items are those of the daemon, except for changes of the last moments. It changes to *stale* when the
 *   events stop or a read fails temporarily, and to *ended* if the daemon then refuses the client.
 * - *stale*: the items are those of the time `since`; null if nothing has been read yet. It tries again by itself, and
 *   changes to *live* when everything was read again.
 * - *ended*: the list does not change any more: `error` says why, and is null if it was closed. Create another one after the
 *   cause is fixed.
 */
export type LiveListState =
  | { readonly kind: "loading" }
  | { readonly kind: "live" }
  | { readonly kind: "stale"; readonly since: Date | null; readonly error: Error }
  | { readonly kind: "ended"; readonly error: Error | null };

/** What a live list shows. As long as nothing changes, it is the same object. Items that did not change stay the same objects too. */
export interface LiveListSnapshot<T> {
  /** Newest first. */
  readonly items: readonly T[];
  /** Whether the daemon has more items than the list keeps. */
  readonly hasMore: boolean;
  readonly state: LiveListState;
}

/**
 * A list that follows the daemon until it is closed. Its functions can be passed on without their object:
 * `useSyncExternalStore(tasks.subscribe, tasks.getSnapshot)`.
 */
export interface LiveList<T> extends AsyncDisposable {
  /** Returns what the list shows now. */
  readonly getSnapshot: () => LiveListSnapshot<T>;
  /** Calls `listener` after each change of the snapshot. Returns the function that stops this. */
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Reads everything again now, and connects now if the list waits for its next try. Resolves when the list has been read.
   * Throws the error of the read or connection; unless the list has ended, it tries again by itself.
   */
  readonly refresh: () => Promise<void>;
  /** Ends the list. Resolves when its requests and its stream have ended. */
  readonly close: () => Promise<void>;
}

/** The options of a live list. */
export interface WatchOptions {
  /** Closes the list. */
  readonly signal?: AbortSignal | undefined;
  /** The least pause in milliseconds between two reads after events. A single event after a pause is followed at once. Default 500. */
  readonly pauseMs?: number | undefined;
}
