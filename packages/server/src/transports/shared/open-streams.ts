import type { Actor } from "../../kernel/operation.ts";

/** A stream that is being answered: events, or followed output. */
export interface OpenStream {
  readonly actor: Actor;
  readonly close: () => void;
}

/** The open streams of all transports, so that the streams of an actor that may no longer read can be closed. */
export interface OpenStreams {
  /** Adds a stream; returns the function that removes it once it has ended. */
  readonly add: (stream: OpenStream) => () => void;
  /** Closes the streams of an actor; returns their number. */
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
