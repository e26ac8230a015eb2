import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pieceOffset } from "../../../runner/output/kept-pieces.ts";
import type { StreamName } from "../../../runner/protocol/messages.ts";
import { isMissing } from "../../../runner/system-error.ts";

/** A part of a stream from its kept files: bytes with their offset, or a range that was not kept. */
export type KeptPiece =
  | { readonly offset: number; readonly bytes: Uint8Array }
  | { readonly cut: { readonly from: number; readonly bytes: number } };

const chunkBytes = 64 * 1024;

/**
 * Reads the kept bytes of a stream from `offset` on, in bounded memory. Of a stream that is still written, it reads the
 * bytes so far.
 */
export async function* readKept(
  folders: readonly string[],
  stream: StreamName,
  offset: number,
): AsyncGenerator<KeptPiece> {
  let at = offset;
  for (;;) {
    const before = at;
    try {
      const piece = await nextPiece(folders, stream, at);
      if (piece === null) return;
      if (piece.offset > at) {
        yield { cut: { from: at, bytes: piece.offset - at } };
        at = piece.offset;
      }
      for await (const bytes of readFrom(piece.path, at - piece.offset)) {
        yield { offset: at, bytes };
        at += bytes.length;
      }
    } catch (error) {
      // the file was moved or removed since it was listed: the next look finds it in its new folder, or finds a cut
      if (!isMissing(error)) throw error;
      continue;
    }
    if (at === before) return;
  }
}

interface Piece {
  readonly path: string;
  readonly offset: number;
}

/** Finds the file that holds the byte at `at`, or the first file after it if that byte was cut. */
async function nextPiece(folders: readonly string[], stream: StreamName, at: number): Promise<Piece | null> {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    const pieces = names
      .flatMap((name) => {
        const offset = pieceOffset(stream, name);
        return offset === null ? [] : [{ path: join(folder, name), offset }];
      })
      .sort((a, b) => a.offset - b.offset);
    if (pieces.length === 0) continue;
    const holding = pieces.findLast((piece) => piece.offset <= at);
    const end = holding === undefined ? 0 : holding.offset + (await stat(holding.path)).size;
    if (holding !== undefined && at < end) return holding;
    return pieces.find((piece) => piece.offset > at) ?? null;
  }
  return null;
}

async function* readFrom(path: string, position: number): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    for (let at = position; ;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
