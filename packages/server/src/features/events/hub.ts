import type { EventKind, Hint } from "@belfry/contract";
import { type Clock, soon } from "../../kernel/clock.ts";
import type { FrameSink, PushSource } from "../../kernel/operation.ts";
import { createBacklog } from "./backlog.ts";
import { createSubscriber, type Subscriber } from "./subscriber.ts";

/** Readers served in one turn of the event loop: each costs a write to its socket, and others wait for the turn. */
const sliceSize = 8;
/** From one slice to the next: about four times what it takes, so that most of the time is for requests and runs. */
const betweenMs = 1;
/** While no more than this is kept, nobody can be too far behind. */
const checkedHints = 256;
const checkedBytes = 2 * 1024 * 1024;

export interface HubParts {
  readonly clock: Clock;
  /** For the pauses between slices, which are real whatever the calendar says. */
  readonly paceClock: Pick<Clock, "after">;
  /** Names this start of the daemon: a subscriber that sees another one refreshes everything. */
  readonly epoch: string;
  readonly capabilities: () => readonly string[];
}

export type Hub = ReturnType<typeof createHub>;

/**
 * Hints go out after commit, in order, to whoever listens now. They may be lost: every reader refreshes after connecting.
 * Each is encoded once and kept once, and readers are served in rounds, a few in each turn of the event loop: who waits
 * gets all that came since its last round in one piece, so a thousand readers delay no request, however much happens.
 */
export function createHub(parts: HubParts) {
  const subscribers = new Set<Subscriber>();
  const wanted = new Map<string, number>();
  const backlog = createBacklog();
  let waiting = new Set<Subscriber>();
  let round: Iterator<Subscriber> | null = null;
  let roundEnd = 0;
  let isServing = false;
  let closed = false;

  const wake = (): void => {
    if (isServing) return;
    isServing = true;
    soon(serveSlice);
  };

  function serveSlice(): void {
    round ??= beginRound();
    for (let served = 0; served < sliceSize;) {
      const next = round.next();
      if (next.done === true) return endRound();
      if (next.value.serve()) served++;
      if (next.value.isWaiting) waiting.add(next.value);
    }
    parts.paceClock.after(betweenMs, serveSlice);
  }

  function beginRound(): Iterator<Subscriber> {
    const { hint, byte } = backlog.size;
    if (hint > checkedHints || byte > checkedBytes) for (const subscriber of subscribers) subscriber.checkPace();
    roundEnd = backlog.end.hint;
    const all = waiting;
    waiting = new Set();
    return all.values();
  }

  function endRound(): void {
    round = null;
    isServing = false;
    let oldest = backlog.end;
    for (const { place } of subscribers) if (place.hint < oldest.hint) oldest = place;
    backlog.forget(oldest);
    if (backlog.end.hint > roundEnd || isAnyoneBehind()) wake();
  }

  /** Of those who came to wait during the round, some came too late for it. */
  function isAnyoneBehind(): boolean {
    for (const { place } of waiting) if (place.hint < backlog.end.hint) return true;
    return false;
  }

  const count = (kinds: ReadonlySet<string> | null, by: 1 | -1): void => {
    for (const kind of kinds ?? ["all"]) wanted.set(kind, (wanted.get(kind) ?? 0) + by);
  };
  const isWanted = (kind: string): boolean => (wanted.get(kind) ?? 0) > 0 || (wanted.get("all") ?? 0) > 0;

  return {
    /** `make` is called only when somebody listens. */
    publish: (kind: EventKind, make: () => Hint | null): void => {
      if (!isWanted(kind)) return;
      const hint = make();
      if (hint === null) return;
      backlog.add({ kind, frame: Buffer.from(`event: ${kind}\ndata: ${JSON.stringify(hint)}\n\n`, "utf8") });
      wake();
    },

    subscribe: (kinds: ReadonlySet<string> | null, sink: FrameSink): PushSource => {
      const subscriber = createSubscriber({
        clock: parts.clock,
        epoch: parts.epoch,
        backlog,
        wants: kinds === null ? () => true : (kind) => kinds.has(kind),
        hello: JSON.stringify({ epoch: parts.epoch, capabilities: parts.capabilities() }),
        sink,
        onWaiting: () => {
          waiting.add(subscriber);
          if (subscriber.place.hint < backlog.end.hint) wake();
        },
        onEnd: () => {
          if (!subscribers.delete(subscriber)) return;
          waiting.delete(subscriber);
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
