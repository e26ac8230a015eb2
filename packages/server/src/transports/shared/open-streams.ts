import type { Actor } from "../../kernel/operation.ts";

/** A stream that is being answered: events, or followed output. */
export interface OpenStream {
  readonly actor: Actor;
  readonly close: () => void;
}

/** The streams of all transports: an actor that may no longer read has its streams closed. */
export interface OpenStreams {
  /** Answers how to remove it again, once it has ended. */
  readonly add: (stream: OpenStream) => () => void;
  /** Closes the streams of an actor; answers how many there were. */
  readonly closeOf: (actorId: string) => number;
  readonly size: () => number;
}

export function createOpenStreams(): OpenStreams {
  const open = new Set<OpenStream>();
  return {
    add: (stream) => {
      open.add(stream);
      return () => void open.delete(stream);
    },
    closeOf: (actorId) => {
      const found = [...open].filter(({ actor }) => actor.id === actorId);
      for (const stream of found) {
        open.delete(stream);
        stream.close();
      }
      return found.length;
    },
    size: () => open.size,
  };
}
