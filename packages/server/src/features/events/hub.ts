import type { EventKind, Hint } from "@belfry/contract";
import { type Clock, soon } from "../../kernel/time/clock.ts";
import type { FrameSink, PushSource } from "../../kernel/operation.ts";
import { createBacklog } from "./backlog.ts";
import { createPieces } from "./pieces.ts";
import { createSubscriber, type Subscriber } from "./subscriber.ts";

/**
 * The limits of one slice, which blocks the event loop. Each subscriber costs a write to its socket, and a search
 * through events that it does not want.
 */
const slice = { readers: 8, bytes: 64 * 1024, events: 8 * 1024 };
/**
 * The pause between two slices. It grows with the bytes of a slice, so that a thousand readers leave time for requests
 * and runs.
 */
const betweenMs = 1;
const bytesAMs = 20 * 1024;
/**
 * Above this backlog, the pace grows with the square of the backlog. Of 12,000 events for 1,000 readers, the last one
 * arrives after 14 s. With a linear pace it takes more than 30 s, and with a constant one minutes.
 */
const unhurried = { events: 2_500, bytes: 4 * 1024 * 1024 };
/** The backlog that is checked for slow subscribers: with less, none can be too slow. */
const checked = { events: 4_096, bytes: 2 * 1024 * 1024 };

export interface HubParts {
  readonly clock: Clock;
  /** The clock for the pauses between slices, which is never a manual clock. */
  readonly paceClock: Pick<Clock, "after">;
  /** Identifies this start of the daemon. A subscriber that sees a new epoch reloads everything. */
  readonly epoch: string;
  readonly capabilities: () => readonly string[];
}

export type Hub = ReturnType<typeof createHub>;

/**
 * Sends events after each commit, in order, to the current subscribers. Events can be lost, so a subscriber reloads its state
 * after connecting. Each event is encoded and stored once. Subscribers are served in rounds, a few in each turn of the event
 * loop, up to the events before the round. So a thousand subscribers delay no request; under load, events are late instead.
 */
export function createHub(parts: HubParts) {
  const subscribers = new Set<Subscriber>();
  const wanted = new Map<string, number>();
  const backlog = createBacklog();
  const pieces = createPieces(backlog, parts.epoch);
  /** Subscribers whose sockets are ready: those of this round, and those of the next. */
  const served = new Set<Subscriber>();
  const waiting = new Set<Subscriber>();
  /** The position that the round brings every subscriber to. */
  let roundEnd = 0;
  let isServing = false;
  /** The end of the backlog when the pace of all subscribers was last checked. */
  let checkedAt = backlog.end;
  let closed = false;

  const wake = (): void => {
    if (isServing) return;
    isServing = true;
    soon(() => {
      beginRound();
      serveSlice();
    });
  };

  function beginRound(): void {
    const { event, byte } = backlog.size;
    if (event > checked.events || byte > checked.bytes) checkPace();
    roundEnd = pieces.beginRound().event;
    for (const subscriber of waiting) served.add(subscriber);
    waiting.clear();
  }

  function checkPace(): void {
    checkedAt = backlog.end;
    for (const subscriber of subscribers) subscriber.checkPace();
  }

  /** Checks the pace again within a round, because a round may take long while more events are published. */
  function checkPaceAgain(): void {
    const { event, byte } = backlog.end;
    if (event - checkedAt.event <= checked.events && byte - checkedAt.byte <= checked.bytes) return;
    checkPace();
    forgetWhatAllHad();
  }

  function serveSlice(): void {
    checkPaceAgain();
    const { event, byte } = backlog.size;
    const hurry = Math.max(1, event / unhurried.events, byte / unhurried.bytes) ** 2;
    let readers = 0;
    let bytes = 0;
    let events = 0;
    for (const subscriber of served) {
      if (readers === slice.readers || bytes >= slice.bytes * hurry || events >= slice.events * hurry) {
        parts.paceClock.after(Math.max(betweenMs, bytes / (bytesAMs * hurry)), serveSlice);
        return;
      }
      served.delete(subscriber);
      const given = subscriber.serve();
      if (given.bytes > 0) readers++;
      bytes += given.bytes;
      events += given.events;
      if (subscriber.isWaiting) wait(subscriber);
    }
    endRound();
  }

  /** Returns a subscriber to the round if one piece was too short to bring it to the round's end. */
  function wait(subscriber: Subscriber): void {
    (isServing && subscriber.place.event < roundEnd ? served : waiting).add(subscriber);
  }

  function endRound(): void {
    isServing = false;
    pieces.endRound();
    forgetWhatAllHad();
    if (isAnyoneBehind()) wake();
  }

  function forgetWhatAllHad(): void {
    let oldest = backlog.end;
    for (const { place } of subscribers) if (place.event < oldest.event) oldest = place;
    backlog.forget(oldest);
  }

  function isAnyoneBehind(): boolean {
    for (const { place } of waiting) if (place.event < backlog.end.event) return true;
    return false;
  }

  const count = (kinds: ReadonlySet<string> | null, by: 1 | -1): void => {
    for (const kind of kinds ?? ["all"]) wanted.set(kind, (wanted.get(kind) ?? 0) + by);
  };
  const isWanted = (kind: string): boolean => (wanted.get(kind) ?? 0) > 0 || (wanted.get("all") ?? 0) > 0;

  return {
    /** Publishes an event. Calls `make` only if a subscriber wants this kind. */
    publish: (kind: EventKind, make: () => Hint | null): void => {
      if (!isWanted(kind)) return;
      const event = make();
      if (event === null) return;
      backlog.add({ kind, frame: Buffer.from(`event: ${kind}\ndata: ${JSON.stringify(event)}\n\n`, "utf8") });
      wake();
    },

    subscribe: (kinds: ReadonlySet<string> | null, sink: FrameSink): PushSource => {
      const subscriber = createSubscriber({
        clock: parts.clock,
        epoch: parts.epoch,
        backlog,
        readPiece: pieces.readerOf(kinds),
        hello: JSON.stringify({ epoch: parts.epoch, capabilities: parts.capabilities() }),
        sink,
        onWaiting: () => {
          wait(subscriber);
          if (subscriber.place.event < backlog.end.event) wake();
        },
        onEnd: () => {
          if (!subscribers.delete(subscriber)) return;
          waiting.delete(subscriber);
          served.delete(subscriber);
          count(kinds, -1);
        },
      });
      subscribers.add(subscriber);
      count(kinds, 1);
      if (closed) subscriber.close();
      else subscriber.greet();
      return subscriber;
    },

    get size(): number {
      return subscribers.size;
    },

    close: (): void => {
      closed = true;
      for (const subscriber of subscribers) subscriber.close();
    },
  };
}
