import type { SseFrame } from "../../kernel/operation.ts";
import type { Backlog, Place } from "./backlog.ts";

/** The limits of one piece, which stays in the socket's buffer until the subscriber reads it. A single longer event is still sent. */
const pieceEventsMax = 512;
const pieceBytesMax = 128 * 1024;
/**
 * The number of pieces that are kept. Readers that connected together get the same pieces, one reader after the other.
 * For 1,000 readers of 2,000 events, 500 frames are created instead of 490,000.
 */
const keptMax = 8;

export interface Piece {
  readonly frames: readonly SseFrame[];
  /** The number of bytes without those of the ids. */
  readonly bytes: number;
  /** The position after the piece. */
  readonly next: Place;
}

/** Makes the id of a frame. A reader's frames are numbered from 0, which is its `hello`. */
export function frameId(epoch: string, number: number): string {
  return `${epoch}-${number}`;
}

/** Reads the next piece from a position, for a subscriber whose next frame has this number. */
export type ReadPiece = (from: Place, number: number) => Piece;

export type Pieces = ReturnType<typeof createPieces>;

/**
 * Creates the pieces of a round, which ends at the same event for all readers. Readers with the same position, kinds
 * and frame number get the same frames, so that these are created once.
 */
export function createPieces(backlog: Backlog, epoch: string) {
  const kept = new Map<string, Piece>();
  let end = backlog.end;

  return {
    /** Begins a round that ends at the newest event; returns the position of its end. */
    beginRound: (): Place => (end = backlog.end),
    endRound: (): void => kept.clear(),
    /** Returns the function that reads pieces for readers of these kinds; null means all kinds. */
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
