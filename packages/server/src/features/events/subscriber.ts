import type { Clock, Timer } from "../../kernel/clock.ts";
import type { SseFrame } from "../../kernel/operation.ts";
import type { Backlog, Place } from "./backlog.ts";

/** Hints that may be told while a reader takes nothing; then it is told to refresh everything and let go. */
const missedHintsMax = 256;
const missedBytesMax = 2 * 1024 * 1024;
/** The same of a reader that takes all it is given, as fast as this daemon gives it. */
const behindHintsMax = 20_000;
const behindBytesMax = 32 * 1024 * 1024;
/** One piece, which lies in the reader's socket until it is taken. One hint is handed over whatever its length. */
const pieceHintsMax = 256;
const pieceBytesMax = 64 * 1024;
const heartbeatMs = 15_000;

export interface Subscriber {
  /** Where it reads next. */
  readonly place: Place;
  /** Hands over what it has not had, if it waits for any; whether that was something. */
  readonly serve: () => boolean;
  /** Ends it with a `resync` where it fell too far behind. */
  readonly checkPace: () => void;
  readonly close: () => void;
  readonly batches: AsyncIterable<readonly SseFrame[]>;
}

export interface SubscriberParts {
  readonly clock: Clock;
  readonly epoch: string;
  readonly backlog: Backlog;
  readonly wants: (kind: string) => boolean;
  readonly hello: string;
  /** It has taken all it was given, and waits for more. */
  readonly onWaiting: () => void;
  readonly onEnd: () => void;
}

/**
 * One reader of the backlog, by turns:
 *
 * waiting     it has asked for more. Served when there is something; a heartbeat after 15 s of nothing.
 * taking      it was given a piece, and has not asked for the next: what is told meanwhile is counted.
 * overflowed  it fell too far behind: one `resync` is left for it, then the end. Nothing more is told.
 * closed      ends at once.
 */
export function createSubscriber(parts: SubscriberParts): Subscriber {
  const { clock, backlog } = parts;
  let state: "open" | "overflowed" | "closed" = "open";
  let number = 0;
  let place = backlog.end;
  /** Where the backlog ended when it was given its last piece. */
  let givenAt = backlog.end;
  let first: readonly SseFrame[] | null = [{ event: "hello", json: parts.hello, id: nextId() }];
  let resolveNext: ((result: IteratorResult<readonly SseFrame[]>) => void) | null = null;
  let quietSinceMs = clock.monotonicMs();
  let heartbeat: Timer | null = null;

  function nextId(): string {
    return `${parts.epoch}-${number++}`;
  }

  function give(frames: readonly SseFrame[]): void {
    const resolve = resolveNext;
    resolveNext = null;
    givenAt = backlog.end;
    quietSinceMs = clock.monotonicMs();
    resolve?.({ done: false, value: frames });
  }

  /** One timer for all the time it lives: what is told in between only moves the moment it looks for. */
  function beat(): void {
    const quietMs = clock.monotonicMs() - quietSinceMs;
    if (quietMs >= heartbeatMs && resolveNext !== null) give([{ comment: "" }]);
    heartbeat = clock.after(quietMs >= heartbeatMs ? heartbeatMs : heartbeatMs - quietMs, beat);
  }

  function end(to: "overflowed" | "closed"): void {
    if (state === "closed" || state === to) return;
    state = to;
    heartbeat?.cancel();
    parts.onEnd();
  }

  function close(): void {
    end("closed");
    resolveNext?.({ done: true, value: undefined });
    resolveNext = null;
  }

  function next(): Promise<IteratorResult<readonly SseFrame[]>> {
    const greeting = first;
    first = null;
    if (state === "closed") return Promise.resolve({ done: true, value: undefined });
    if (state === "overflowed") {
      state = "closed";
      const resync = {
        event: "resync",
        json: JSON.stringify({ reason: "this reader fell too far behind" }),
        id: nextId(),
      };
      return Promise.resolve({ done: false, value: greeting === null ? [resync] : [...greeting, resync] });
    }
    if (greeting !== null) return Promise.resolve({ done: false, value: greeting });
    heartbeat ??= clock.after(heartbeatMs, beat);
    return new Promise((resolve) => {
      resolveNext = resolve;
      parts.onWaiting();
    });
  }

  return {
    get place() {
      return place;
    },
    serve: () => {
      if (resolveNext === null || state !== "open") return false;
      const piece = backlog.read(place, { wants: parts.wants, hintsMax: pieceHintsMax, bytesMax: pieceBytesMax });
      place = piece.next;
      if (piece.frames.length === 0) return false;
      give(piece.frames.map((shared) => ({ id: nextId(), shared })));
      return true;
    },
    checkPace: () => {
      const isTaking = resolveNext === null;
      const since = isTaking ? givenAt : place;
      const hints = backlog.end.hint - since.hint;
      const bytes = backlog.end.byte - since.byte;
      const isTooSlow = isTaking
        ? hints > missedHintsMax || (bytes > missedBytesMax && hints > 1)
        : hints > behindHintsMax || (bytes > behindBytesMax && hints > 1);
      if (!isTooSlow) return;
      end("overflowed");
      const resolve = resolveNext;
      resolveNext = null;
      if (resolve !== null) void next().then(resolve);
    },
    close,
    batches: {
      [Symbol.asyncIterator]: () => ({
        next,
        return: () => {
          close();
          return Promise.resolve({ done: true as const, value: undefined });
        },
      }),
    },
  };
}
