/** One event, encoded once for all subscribers, without the id that differs for each. */
export interface EncodedEvent {
  readonly kind: string;
  readonly frame: Uint8Array;
}

/** A position in the backlog: the numbers of events and bytes before it. */
export interface Place {
  readonly event: number;
  readonly byte: number;
}

export type Backlog = ReturnType<typeof createBacklog>;

/**
 * Creates the backlog: the events that some subscriber has not received yet. They are stored once, and each subscriber
 * has a position in them.
 */
export function createBacklog() {
  let kept: { readonly event: EncodedEvent; readonly endByte: number }[] = [];
  let first = 0;
  let end: Place = { event: 0, byte: 0 };

  return {
    get end(): Place {
      return end;
    },
    /** The number of events and bytes that are kept. */
    get size(): Place {
      const [oldest] = kept;
      return {
        event: kept.length,
        byte: oldest === undefined ? 0 : end.byte - oldest.endByte + oldest.event.frame.length,
      };
    },
    add: (event: EncodedEvent): void => {
      end = { event: end.event + 1, byte: end.byte + event.frame.length };
      kept.push({ event, endByte: end.byte });
    },
    /**
     * Reads the wanted events between two positions, in order: at least one, and as many as fit. Also returns the
     * position after them.
     */
    read: (
      from: Place,
      of: {
        readonly until: Place;
        readonly wants: (kind: string) => boolean;
        readonly eventsMax: number;
        readonly bytesMax: number;
      },
    ): { readonly frames: readonly Uint8Array[]; readonly bytes: number; readonly next: Place } => {
      const frames: Uint8Array[] = [];
      let bytes = 0;
      let next = from;
      for (let index = from.event - first; index < of.until.event - first; index++) {
        const { event, endByte } = kept[index]!;
        if (of.wants(event.kind)) {
          if (frames.length === of.eventsMax || (frames.length > 0 && bytes + event.frame.length > of.bytesMax)) break;
          frames.push(event.frame);
          bytes += event.frame.length;
        }
        next = { event: first + index + 1, byte: endByte };
      }
      return { frames, bytes, next };
    },
    /** Drops the events before this position, which every subscriber has received. */
    forget: (before: Place): void => {
      if (before.event <= first) return;
      kept = kept.slice(before.event - first);
      first = before.event;
    },
  };
}
