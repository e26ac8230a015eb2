import type { Clock, Timer } from "../../kernel/time/clock.ts";
import type { FrameSink, PushSource, SseFrame } from "../../kernel/operation.ts";
import type { Backlog, Place } from "./backlog.ts";
import { frameId, type ReadPiece } from "./pieces.ts";

/** The events that may be published while a subscriber's socket is full. Beyond them it gets a `resync` and is disconnected. */
const missedEventsMax = 4_096;
const missedBytesMax = 2 * 1024 * 1024;
/** The same for a subscriber that reads everything as fast as the daemon sends it. */
const behindEventsMax = 20_000;
const behindBytesMax = 32 * 1024 * 1024;
const heartbeatMs = 15_000;

export interface Subscriber extends PushSource {
  /** Where it reads next. */
  readonly place: Place;
  readonly isWaiting: boolean;
  /** Begins it. */
  readonly greet: () => void;
  /** Sends the next piece if it is waiting; returns the number of events passed and of bytes sent. */
  readonly serve: () => { readonly events: number; readonly bytes: number };
  /** Ends it with a `resync` if it is too slow. */
  readonly checkPace: () => void;
}

export interface SubscriberParts {
  readonly clock: Clock;
  readonly epoch: string;
  readonly backlog: Pick<Backlog, "end">;
  readonly readPiece: ReadPiece;
  readonly hello: string;
  readonly sink: FrameSink;
  /** It can take more. */
  readonly onWaiting: () => void;
  readonly onEnd: () => void;
}

/**
 * One reader of the backlog:
 *
 * waiting     its socket is ready. Served when there are events; a heartbeat after 15 s without any.
 * taking      its socket is full. Events published meanwhile are counted. Waiting again when the socket is ready.
 * overflowed  it was too slow and gets no more events. A `resync` when the socket is ready, then closed.
 * closed      nothing more.
 */
export function createSubscriber(parts: SubscriberParts): Subscriber {
  const { clock, backlog, sink } = parts;
  let state: "waiting" | "taking" | "overflowed" | "closed" = "taking";
  let number = 0;
  let place = backlog.end;
  /** Where the backlog ended when its socket was full. */
  let fullAt = backlog.end;
  let quietSinceMs = clock.monotonicMs();
  let heartbeat: Timer | null = null;

  function nextId(): string {
    return frameId(parts.epoch, number++);
  }

  function give(frames: readonly SseFrame[]): void {
    quietSinceMs = clock.monotonicMs();
    state = sink.write(frames) ? "waiting" : "taking";
    fullAt = backlog.end;
  }

  /** One timer for the whole stream: an event in between only postpones the heartbeat. */
  function beat(): void {
    const quietMs = clock.monotonicMs() - quietSinceMs;
    const isDue = quietMs >= heartbeatMs;
    if (isDue && state === "waiting") give([{ comment: "" }]);
    heartbeat = clock.after(isDue ? heartbeatMs : heartbeatMs - quietMs, beat);
  }

  function leave(to: "overflowed" | "closed"): void {
    if (state !== "overflowed") parts.onEnd();
    state = to;
    heartbeat?.cancel();
  }

  function close(): void {
    if (state === "closed") return;
    leave("closed");
    sink.end();
  }

  function sendResync(): void {
    sink.write([{ event: "resync", json: JSON.stringify({ reason: "the subscriber was too slow" }), id: nextId() }]);
    close();
  }

  return {
    get place() {
      return place;
    },
    get isWaiting() {
      return state === "waiting";
    },
    greet: () => {
      heartbeat = clock.after(heartbeatMs, beat);
      give([{ event: "hello", json: parts.hello, id: nextId() }]);
      if (state === "waiting") parts.onWaiting();
    },
    serve: () => {
      if (state !== "waiting") return { events: 0, bytes: 0 };
      const { frames, bytes, next } = parts.readPiece(place, number);
      const events = next.event - place.event;
      place = next;
      number += frames.length;
      if (frames.length > 0) give(frames);
      return { events, bytes };
    },
    onReady: () => {
      if (state === "overflowed") return sendResync();
      if (state !== "taking") return;
      state = "waiting";
      parts.onWaiting();
    },
    checkPace: () => {
      if (state !== "waiting" && state !== "taking") return;
      const isTaking = state === "taking";
      const since = isTaking ? fullAt : place;
      const events = backlog.end.event - since.event;
      const bytes = backlog.end.byte - since.byte;
      const isTooSlow = isTaking
        ? events > missedEventsMax || (bytes > missedBytesMax && events > 1)
        : events > behindEventsMax || (bytes > behindBytesMax && events > 1);
      if (!isTooSlow) return;
      leave("overflowed");
      if (!isTaking) sendResync();
    },
    close,
  };
}
