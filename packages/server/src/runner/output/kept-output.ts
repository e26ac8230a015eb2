import { open, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { firstHalfEnd, pieceEnd, pieceName, piecesMax, tailPieceBytes } from "./kept-pieces.ts";
import type { StreamEnd, StreamName } from "../protocol/messages.ts";

export interface KeptOutputOptions {
  readonly folder: string;
  readonly stream: StreamName;
  readonly bytesMax: number;
  /** How many bytes of the stream are kept in the file `output`; 0 if absent. */
  readonly from?: number;
  /** Called once, with the error after which nothing more is kept. */
  readonly onFailure: (error: unknown) => void;
}

/** The bytes of a stream that were kept once, or never: from the end of the first half to the oldest piece. */
export interface CutRange {
  readonly from: number;
  readonly to: number;
}

/** Writes one stream's files. After a failed write nothing more is kept, and the rest counts as cut. */
export class KeptOutput {
  #written: number;
  #kept: number;
  #failed = false;
  #file: FileHandle | null = null;
  #fileEnd: number;
  #hasFirstFile = false;
  /** Offsets of the pieces after the first half, oldest first. */
  readonly #pieces: number[] = [];
  readonly #options: KeptOutputOptions;

  constructor(options: KeptOutputOptions) {
    this.#options = options;
    const { from = 0 } = options;
    this.#written = from;
    this.#kept = from;
    this.#fileEnd = from;
  }

  get cutRange(): CutRange {
    const from = firstHalfEnd(this.#options.bytesMax);
    return { from, to: this.#pieces[0] ?? from };
  }

  /** Adds output. One call at a time. Never rejects. */
  async add(chunk: Uint8Array): Promise<void> {
    const begin = this.#written;
    this.#written += chunk.length;
    if (this.#failed) return;
    try {
      await this.#keep(chunk, begin);
    } catch (error) {
      this.#failed = true;
      await this.close();
      this.#options.onFailure(error);
    }
  }

  async close(): Promise<StreamEnd> {
    await this.#closeFile();
    return { written: this.#written, cut: this.#written - this.#kept };
  }

  async #keep(chunk: Uint8Array, begin: number): Promise<void> {
    let done = 0;
    while (done < chunk.length) {
      if (begin + done === this.#fileEnd) {
        done += this.#skippable(chunk.length - done);
        await this.#nextPiece(begin + done);
      }
      const room = this.#fileEnd - (begin + done);
      const { bytesWritten } = await this.#file!.write(chunk, done, Math.min(room, chunk.length - done));
      this.#kept += bytesWritten;
      done += bytesWritten;
    }
  }

  /**
   * Counts the bytes of a large chunk that need not be written, because their pieces would be removed before the chunk
   * ends.
   */
  #skippable(bytes: number): number {
    if (!this.#hasFirstFile) return 0;
    const pieceBytes = tailPieceBytes(this.#options.bytesMax);
    return Math.max(0, Math.ceil(bytes / pieceBytes) - piecesMax) * pieceBytes;
  }

  async #nextPiece(offset: number): Promise<void> {
    const { folder, stream, bytesMax } = this.#options;
    await this.#closeFile();
    if (this.#pieces.length === piecesMax) {
      const oldest = this.#pieces.shift()!;
      await unlink(join(folder, pieceName(stream, oldest)));
      this.#kept -= pieceEnd(oldest, bytesMax) - oldest;
    }
    this.#file = await open(join(folder, pieceName(stream, offset)), "wx", 0o600);
    this.#fileEnd = this.#hasFirstFile ? pieceEnd(offset, bytesMax) : firstHalfEnd(bytesMax);
    if (this.#hasFirstFile) this.#pieces.push(offset);
    this.#hasFirstFile = true;
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close().catch(() => {});
  }
}
