import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Timer } from "../../kernel/time/clock.ts";
import { compactIndex, type Compaction } from "./compact-index.ts";
import { encodeRecord, indexBytesMax, indexName, type OrderRecord } from "./order-record.ts";

/** Reads of one stream within this time become one record, so that a flood makes few records. */
const mergeMs = 10;
/** So many records wait for the disk. Then the reads wait too. */
const pendingMax = 256;
/** A smaller index is not compacted. */
const compactedFromBytes = 16 * 1024;

export interface IndexFileOptions extends Pick<Compaction, "folder" | "from"> {
  /** The maximum number of bytes to keep per stream. */
  readonly bytesMax: number;
  readonly clock: Pick<Clock, "after">;
  readonly cutRanges: () => Compaction["cutRanges"];
  /** Called once, with the error after which no order is kept. */
  readonly onFailure: (error: unknown) => void;
}

/** Writes the file `index`. After a failed write no record is added: order is advice, and no byte depends on it. */
export class IndexFile {
  readonly #options: IndexFileOptions;
  readonly #bytesMax: number;
  #file: FileHandle | null = null;
  #size = 0;
  #compactAt = compactedFromBytes;
  /** Raised by the next reads of its stream, until it is due. */
  #newest: OrderRecord | null = null;
  #due: Timer | null = null;
  #pending: Buffer[] = [];
  #writing: Promise<void> | null = null;
  #hasFailed = false;

  constructor(options: IndexFileOptions) {
    this.#options = options;
    this.#bytesMax = indexBytesMax(options.bytesMax);
  }

  get size(): number {
    return this.#size;
  }

  /** Creates the file, so that a reader of the first bytes waits for their records. Never rejects. */
  async create(): Promise<void> {
    try {
      this.#file = await open(join(this.#options.folder, indexName), "wx+", 0o600);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Adds a record whose bytes are written. Resolves at once, unless many records wait. Never rejects. */
  async add(record: OrderRecord): Promise<void> {
    if (this.#hasFailed) return;
    if (this.#newest !== null && this.#newest.stream !== record.stream) this.#settle();
    this.#newest = record;
    this.#due ??= this.#options.clock.after(mergeMs, () => this.#settle());
    if (this.#pending.length >= pendingMax) await this.#writing;
  }

  async close(): Promise<void> {
    this.#settle();
    await this.#writing;
    await this.#closeFile();
  }

  #settle(): void {
    this.#due?.cancel();
    this.#due = null;
    if (this.#newest === null || this.#hasFailed) return;
    this.#pending.push(encodeRecord(this.#newest));
    this.#newest = null;
    this.#writing ??= this.#writePending();
  }

  async #writePending(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        const records = Buffer.concat(this.#pending);
        this.#pending = [];
        if (this.#size + records.length > this.#compactAt) await this.#compact();
        await this.#file!.appendFile(records);
        this.#size += records.length;
      }
    } catch (error) {
      this.#fail(error);
      await this.#closeFile();
    }
    this.#writing = null;
  }

  async #compact(): Promise<void> {
    const { folder, from, cutRanges } = this.#options;
    const former = this.#file!;
    const { file, size } = await compactIndex({
      folder,
      file: former,
      size: this.#size,
      from,
      cutRanges: cutRanges(),
      bytesMax: this.#bytesMax,
    });
    this.#file = file;
    this.#size = size;
    this.#compactAt = Math.min(this.#bytesMax, Math.max(compactedFromBytes, 2 * size));
    await former.close();
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    this.#pending = [];
    this.#newest = null;
    this.#options.onFailure(error);
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close().catch(() => {});
  }
}
