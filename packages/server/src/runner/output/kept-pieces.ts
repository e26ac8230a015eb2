import type { StreamName } from "../protocol/messages.ts";

/**
 * A stream's bytes on disk, never more than the bound: the first half in the file `stdout`, the newest half in 16 pieces,
 * `stdout.<offset of the first byte>`. The oldest piece is removed before the next one is begun, so up to one piece, a 32nd
 * of the bound, is lost of the newest half. Nothing is renamed and no piece is begun before the one in front of it is full,
 * so names and sizes alone tell what was written and what was cut, also after a crash.
 */
export const piecesMax = 16;

export function pieceName(stream: StreamName, offset: number): string {
  return offset === 0 ? stream : `${stream}.${offset}`;
}

/** The offset in the stream at which a file begins; null for a file of something else. */
export function pieceOffset(stream: StreamName, name: string): number | null {
  if (name === stream) return 0;
  const digits = name.startsWith(`${stream}.`) ? name.slice(stream.length + 1) : "";
  return /^[1-9]\d*$/.test(digits) ? Number(digits) : null;
}

/** Where the piece that begins at this offset ends when it is full. */
export function pieceEnd(offset: number, bytesMax: number): number {
  const pieceBytes = tailPieceBytes(bytesMax);
  return offset === 0 ? bytesMax - piecesMax * pieceBytes : offset + pieceBytes;
}

export function tailPieceBytes(bytesMax: number): number {
  return Math.floor(bytesMax / (2 * piecesMax));
}
