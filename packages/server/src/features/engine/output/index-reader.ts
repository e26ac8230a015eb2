import type { FileHandle } from "node:fs/promises";
import { decodeRecord, indexName, type OrderRecord, recordBytes } from "../../../runner/output/order-record.ts";
import { openFirst } from "./find-output.ts";

/** 64 KiB of whole records. */
const windowRecords = Math.floor((64 * 1024) / recordBytes);

/** The records in the file `index`, as they were when it was opened: the runner may replace it by a shorter one. */
export class IndexReader implements AsyncDisposable {
  readonly count: number;
  readonly #file: FileHandle;

  constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.count = Math.floor(bytes / recordBytes);
  }

  static async open(folders: readonly string[]): Promise<IndexReader | null> {
    const file = await openFirst(folders, indexName);
    return file === null ? null : new IndexReader(file, (await file.stat()).size);
  }

  /** Reads records; null for a damaged one. Its bytes then have the time of the record after it. */
  async read(first: number, recordsMax = windowRecords): Promise<readonly (OrderRecord | null)[]> {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(recordsMax, this.count - first)) * recordBytes);
    const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, first * recordBytes);
    return Array.from({ length: Math.floor(bytesRead / recordBytes) }, (_, at) =>
      decodeRecord(bytes, at * recordBytes),
    );
  }

  /** Finds the first record that meets a condition, which all records after it meet as well. */
  async findFirst(condition: (record: OrderRecord) => boolean): Promise<number> {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [record = null] = await this.read(middle, 1);
      // too early only costs time
      if (record === null || condition(record)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}
