import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { encodeRecord, openingBytesMax, openingName, type OrderRecord, recordBytes } from "./order-record.ts";

export interface OpeningFileOptions {
  readonly folder: string;
  /** The maximum number of bytes to keep per stream. */
  readonly bytesMax: number;
}

/** Writes the file `output`: the first bytes of an attempt, each read with its record. Is created by the first of them. */
export class OpeningFile {
  readonly #path: string;
  readonly #bytesMax: number;
  #file: FileHandle | null = null;
  #size = 0;
  #records = 0;

  constructor({ folder, bytesMax }: OpeningFileOptions) {
    this.#path = join(folder, openingName);
    this.#bytesMax = openingBytesMax(bytesMax);
  }

  /** The part of the file that is no output. */
  get orderBytes(): number {
    return this.#records * recordBytes;
  }

  /**
   * Adds a read. Returns false if it does not fit or cannot be written: then the file is closed, and stays closed, so that
   * every later byte comes after its bytes. Never rejects.
   */
  async add(record: OrderRecord, chunk: Uint8Array): Promise<boolean> {
    const size = this.#size + recordBytes + chunk.length;
    if (size > this.#bytesMax) {
      await this.close();
      return false;
    }
    try {
      this.#file ??= await open(this.#path, "wx", 0o600);
      await this.#file.appendFile(Buffer.concat([encodeRecord(record), chunk]));
    } catch {
      // the chunk goes to the file of its stream, which reports the fault if it lasts
      await this.#file?.truncate(this.#size).catch(() => {});
      await this.close();
      return false;
    }
    this.#size = size;
    this.#records += 1;
    return true;
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close().catch(() => {});
  }
}
