import type { Clock, Timer } from "../../kernel/clock.ts";
import type { SseFrame } from "../../kernel/operation.ts";

/** Hints one reader may be behind; then it is told to refresh everything and let go. */
const waitingMax = 256;
/** The same in characters: a task's script may be long. One hint is taken whatever its length. */
const waitingCharactersMax = 2 * 1024 * 1024;
const heartbeatMs = 15_000;

export interface Subscriber {
  readonly wants: (kind: string) => boolean;
  readonly offer: (kind: string, json: string) => void;
  readonly close: () => void;
  readonly batches: AsyncIterable<readonly SseFrame[]>;
}

export interface SubscriberParts {
  readonly clock: Clock;
  readonly epoch: string;
  readonly kinds: ReadonlySet<string> | null;
  readonly hello: string;
  readonly onEnd: () => void;
}

/**
 * open: hints queue up and are taken in batches. overflowed: the queue was dropped, one `resync` is left, nothing more is
 * taken in; ends when that is read. closed: ends at once.
 */
export function createSubscriber(parts: SubscriberParts): Subscriber {
  let state: "open" | "overflowed" | "closed" = "open";
  let number = 0;
  let waiting: SseFrame[] = [frame("hello", parts.hello)];
  let waitingCharacters = 0;
  let wakeReader: (() => void) | null = null;

  function frame(event: string, json: string): SseFrame {
    return { event, json, id: `${parts.epoch}-${number++}` };
  }
  const wake = (): void => {
    wakeReader?.();
    wakeReader = null;
  };

  async function* read(): AsyncGenerator<readonly SseFrame[]> {
    try {
      for (;;) {
        if (state === "closed") return;
        if (waiting.length === 0) {
          if (state === "overflowed") return;
          if ((await nextOrHeartbeat()) === "heartbeat") yield [{ comment: "" }];
          continue;
        }
        const batch = waiting;
        waiting = [];
        waitingCharacters = 0;
        yield batch;
      }
    } finally {
      state = "closed";
      parts.onEnd();
    }
  }

  function nextOrHeartbeat(): Promise<"next" | "heartbeat"> {
    return new Promise((resolve) => {
      const timer: Timer = parts.clock.after(heartbeatMs, () => {
        wakeReader = null;
        resolve("heartbeat");
      });
      wakeReader = () => {
        timer.cancel();
        resolve("next");
      };
    });
  }

  const wants = (kind: string): boolean => parts.kinds === null || parts.kinds.has(kind);
  return {
    wants,
    offer: (kind, json) => {
      if (state !== "open" || !wants(kind)) return;
      waiting.push(frame(kind, json));
      waitingCharacters += json.length;
      if (waiting.length > waitingMax || (waitingCharacters > waitingCharactersMax && waiting.length > 1)) {
        state = "overflowed";
        waiting = [frame("resync", JSON.stringify({ reason: "this reader fell too far behind" }))];
        parts.onEnd();
      }
      wake();
    },
    close: () => {
      state = "closed";
      parts.onEnd();
      wake();
    },
    batches: { [Symbol.asyncIterator]: read },
  };
}
