import type { StreamName } from "./messages.ts";

/**
 * A stream's bytes on disk, bounded: its first half in the file `stdout`, its newest half in pieces of an eighth of the bound,
 * `stdout.<offset of the first byte>`, the newest five of them. Nothing is renamed and no piece is begun before the one in
 * front of it is full, so names and sizes alone tell what was written and what was cut, also after a crash.
 */
export const piecesMax = 5;

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
  return offset === 0 ? Math.ceil(bytesMax / 2) : offset + tailPieceBytes(bytesMax);
}

export function tailPieceBytes(bytesMax: number): number {
  return Math.ceil(bytesMax / 8);
}
