import type { SseFrame } from "../../kernel/operation.ts";
import type { Backlog, Place } from "./backlog.ts";

/** The limits of one piece, which stays in the socket's buffer until the subscriber reads it. A single longer event is still sent. */
const pieceEventsMax = 512;
const pieceBytesMax = 128 * 1024;
/**
 * Kept at once: readers that came together, and so get the same, are served one after the other. For 1,000 readers of 2,000
 * events that puts 500 frames together instead of 490,000.
 */
const keptMax = 8;

export interface Piece {
  readonly frames: readonly SseFrame[];
  /** But for the ids. */
  readonly bytes: number;
  /** The position after it. */
  readonly next: Place;
}

/** A reader's frames are numbered from 0, which is its `hello`. */
export function frameId(epoch: string, number: number): string {
  return `${epoch}-${number}`;
}

/** The next piece from a position, for a subscriber whose next frame has this number. */
export type ReadPiece = (from: Place, number: number) => Piece;

export type Pieces = ReturnType<typeof createPieces>;

/**
 * What readers are given in a round, which ends for all of them at the same event: those at one place, who want the same
 * and count alike, are given the very same frames, so that these are put together once.
 */
export function createPieces(backlog: Backlog, epoch: string) {
  const kept = new Map<string, Piece>();
  let end = backlog.end;

  return {
    /** Up to the events of now; where that is. */
    beginRound: (): Place => (end = backlog.end),
    endRound: (): void => kept.clear(),
    /** For readers of these kinds; null for those of all. */
    readerOf: (kinds: ReadonlySet<string> | null): ReadPiece => {
      const kindsKey = kinds === null ? "all" : [...kinds].sort().join();
      const wants = kinds === null ? () => true : (kind: string) => kinds.has(kind);
      return (from, number) => {
        const name = `${kindsKey} ${from.event} ${number}`;
        const known = kept.get(name);
        if (known !== undefined) return known;
        const read = backlog.read(from, { until: end, wants, eventsMax: pieceEventsMax, bytesMax: pieceBytesMax });
        const frames = read.frames.map((shared, index) => ({ id: frameId(epoch, number + index), shared }));
        const piece = { ...read, frames };
        if (kept.size === keptMax) kept.clear();
        kept.set(name, piece);
        return piece;
      };
    },
  };
}
