import type { StreamName } from "../protocol/messages.ts";

/**
 * A stream's bytes on disk, never more than the bound. Its first bytes may be in the file `output` (order-record.ts). The
 * rest of the first half is in the stream's first file: `stdout`, or `stdout.<offset>` if `output` holds the bytes
 * before that offset. The newest half is in 16 pieces, named `stdout.<offset of the first byte>`. The oldest piece is
 * removed before the next one is created, so the newest half may lack up to one piece, a 32nd of the bound. Nothing is
 * renamed, and a piece is full before the next one is created. So names and sizes alone show how much was written and
 * how much was cut, even after a crash.
 */
export const piecesMax = 16;

export function pieceName(stream: StreamName, offset: number): string {
  return offset === 0 ? stream : `${stream}.${offset}`;
}

/** Returns the offset in the stream at which a file begins; null for any other file. */
export function pieceOffset(stream: StreamName, name: string): number | null {
  if (name === stream) return 0;
  const digits = name.startsWith(`${stream}.`) ? name.slice(stream.length + 1) : "";
  return /^[1-9]\d*$/.test(digits) ? Number(digits) : null;
}

/** Returns the offset at which a full piece ends that begins at this offset. */
export function pieceEnd(offset: number, bytesMax: number): number {
  return offset === 0 ? firstHalfEnd(bytesMax) : offset + tailPieceBytes(bytesMax);
}

/** Returns the offset at which the first file of a stream ends, wherever it begins. */
export function firstHalfEnd(bytesMax: number): number {
  return bytesMax - piecesMax * tailPieceBytes(bytesMax);
}

export function tailPieceBytes(bytesMax: number): number {
  return Math.floor(bytesMax / (2 * piecesMax));
}
