import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pieceOffset } from "../../../runner/output/kept-pieces.ts";
import type { Opening } from "../../../runner/output/order-record.ts";
import type { StreamName } from "../../../runner/protocol/messages.ts";
import { isMissing } from "../../../runner/system-error.ts";
import { listOutput, openFirst } from "./find-output.ts";
import { bytesOf } from "./read-stream.ts";

const windowBytes = 64 * 1024;

/** Bytes of a stream that were read at once. */
interface Window {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

interface Piece {
  readonly offset: number;
  readonly end: number;
  /** Reads bytes from a position of the piece; none if the piece was removed. */
  readonly read: (position: number, length: number) => Promise<Uint8Array>;
}

/** Reads the kept bytes of one stream from the last to the first, through one buffer. Passes over cuts. */
export class BackwardCursor {
  /** Where the stream ended when it was opened. */
  readonly end: number;
  #at: number;
  #window: Window = { offset: 0, bytes: new Uint8Array() };
  /** The last piece is read next. */
  readonly #pieces: Piece[];

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces.filter(({ offset, end }) => end > offset).sort((a, b) => a.offset - b.offset);
    this.end = this.#pieces.at(-1)?.end ?? 0;
    this.#at = this.end;
  }

  static async open(folders: readonly string[], stream: StreamName, opening: Opening): Promise<BackwardCursor> {
    const first = bytesOf(opening, stream);
    const read = async (position: number, length: number) => first.subarray(position, position + length);
    return new BackwardCursor([{ offset: 0, end: first.length, read }, ...(await listPieces(folders, stream))]);
  }

  /** Takes the bytes before those taken last, down to `from` at most; null if none of them are kept. */
  async takeBack(from: number): Promise<Window | null> {
    for (let piece; this.#at > from && (piece = this.#pieces.at(-1)) !== undefined;) {
      this.#at = Math.min(this.#at, piece.end);
      if (this.#at <= from) return null;
      if (this.#at > piece.offset) {
        const taken = await this.#takeFrom(piece, from);
        if (taken !== null) return taken;
      }
      this.#pieces.pop();
    }
    return null;
  }

  async #takeFrom(piece: Piece, from: number): Promise<Window | null> {
    const { offset, bytes } = this.#window;
    if (this.#at <= offset || this.#at > offset + bytes.length) {
      const begin = Math.max(piece.offset, this.#at - windowBytes);
      const read = await piece.read(begin - piece.offset, this.#at - begin);
      if (read.length < this.#at - begin) return null;
      this.#window = { offset: begin, bytes: read };
    }
    const begin = Math.max(from, this.#window.offset);
    const taken = this.#window.bytes.subarray(begin - this.#window.offset, this.#at - this.#window.offset);
    this.#at = begin;
    return { offset: begin, bytes: taken };
  }
}

async function listPieces(folders: readonly string[], stream: StreamName): Promise<readonly Piece[]> {
  for (;;) {
    const listed = await listOutput(folders);
    if (listed === null) return [];
    const named = listed.names.flatMap((name) => {
      const offset = pieceOffset(stream, name);
      return offset === null ? [] : [{ name, offset }];
    });
    try {
      return await Promise.all(
        named.map(async ({ name, offset }) => {
          const { size } = await stat(join(listed.folder, name));
          return {
            offset,
            end: offset + size,
            read: (position, length) => readPart(folders, name, { position, length }),
          };
        }),
      );
    } catch (error) {
      // the files were moved or removed since they were listed
      if (!isMissing(error)) throw error;
    }
  }
}

async function readPart(
  folders: readonly string[],
  name: string,
  { position, length }: { readonly position: number; readonly length: number },
): Promise<Uint8Array> {
  const file = await openFirst(folders, name);
  if (file === null) return new Uint8Array();
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
