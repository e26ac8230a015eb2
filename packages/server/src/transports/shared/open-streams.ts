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
  /** Closes the streams of one credential; returns their number. */
  readonly closeOfCredential: (credentialId: string) => number;
  /** The actors that have open streams. */
  readonly actorIds: () => ReadonlySet<string>;
  readonly size: () => number;
}

export function createOpenStreams(): OpenStreams {
  const open = new Set<OpenStream>();
  const closeEach = (isConcerned: (actor: Actor) => boolean): number => {
    const found = [...open].filter(({ actor }) => isConcerned(actor));
    for (const stream of found) {
      open.delete(stream);
      stream.close();
    }
    return found.length;
  };
  return {
    add: (stream) => {
      open.add(stream);
      return () => void open.delete(stream);
    },
    closeOf: (actorId) => closeEach(({ id }) => id === actorId),
    closeOfCredential: (id) => closeEach(({ credentialId }) => credentialId === id),
    actorIds: () => new Set([...open].map(({ actor }) => actor.id)),
    size: () => open.size,
  };
}
