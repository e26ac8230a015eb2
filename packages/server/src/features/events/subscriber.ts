import type { Clock, Timer } from "../../kernel/time/clock.ts";
import { heartbeat, heartbeatMs } from "../../kernel/heartbeat.ts";
import type { FrameSink, PushSource, SseFrame } from "../../kernel/operation.ts";
import type { Backlog, Place } from "./backlog.ts";
import { frameId, type ReadPiece } from "./pieces.ts";

/** The events that may be published while a subscriber's socket is full. Beyond them it gets a `resync` and is disconnected. */
const missedEventsMax = 4_096;
const missedBytesMax = 2 * 1024 * 1024;
/** The limits of the backlog for a subscriber whose socket is ready but who still falls behind. */
const behindEventsMax = 20_000;
const behindBytesMax = 32 * 1024 * 1024;

export interface Subscriber extends PushSource {
  /** The position from which the subscriber reads next. */
  readonly place: Place;
  readonly isWaiting: boolean;
  /** Begins the stream with its `hello`. */
  readonly greet: () => void;
  /** Sends the next piece if the subscriber is waiting. Returns the number of events passed and of bytes sent. */
  readonly serve: () => { readonly events: number; readonly bytes: number };
  /** Ends the stream with a `resync` if the subscriber is too slow. */
  readonly checkPace: () => void;
}

export interface SubscriberParts {
  readonly clock: Clock;
  readonly epoch: string;
  readonly backlog: Pick<Backlog, "end">;
  readonly readPiece: ReadPiece;
  readonly hello: string;
  readonly sink: FrameSink;
  /** Called when the subscriber is waiting again. */
  readonly onWaiting: () => void;
  readonly onEnd: () => void;
}

/**
 * One reader of the backlog:
 *
 * waiting     its socket is ready. It gets events as they come, and a heartbeat after 15 s without any.
 * taking      its socket is full. Events published meanwhile are counted. It is waiting again when the socket is ready.
 * overflowed  it was too slow and gets no more events. It gets a `resync` when the socket is ready, and is then closed.
 * closed      it gets nothing more.
 */
export function createSubscriber(parts: SubscriberParts): Subscriber {
  const { clock, backlog, sink } = parts;
  let state: "waiting" | "taking" | "overflowed" | "closed" = "taking";
  let number = 0;
  let place = backlog.end;
  /** The end of the backlog at the last write to the socket. */
  let fullAt = backlog.end;
  let quietSinceMs = clock.monotonicMs();
  let beatTimer: Timer | null = null;

  function nextId(): string {
    return frameId(parts.epoch, number++);
  }

  function give(frames: readonly SseFrame[]): void {
    quietSinceMs = clock.monotonicMs();
    state = sink.write(frames) ? "waiting" : "taking";
    fullAt = backlog.end;
  }

  /** Sends a heartbeat when it is due. The stream has a single timer, which an event only postpones. */
  function beat(): void {
    const quietMs = clock.monotonicMs() - quietSinceMs;
    const isDue = quietMs >= heartbeatMs;
    if (isDue && state === "waiting") give([heartbeat]);
    beatTimer = clock.after(isDue ? heartbeatMs : heartbeatMs - quietMs, beat);
  }

  function leave(to: "overflowed" | "closed"): void {
    if (state !== "overflowed") parts.onEnd();
    state = to;
    beatTimer?.cancel();
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
      beatTimer = clock.after(heartbeatMs, beat);
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
