import type { Clock } from "../../kernel/time/clock.ts";
import { type StreamEnd, type StreamName, streamNames } from "../protocol/messages.ts";
import { IndexFile } from "./index-file.ts";
import { KeptOutput } from "./kept-output.ts";
import { OpeningFile } from "./opening-file.ts";
import type { OrderRecord, StreamOffsets } from "./order-record.ts";

export interface OrderedOutputOptions {
  readonly folder: string;
  /** The maximum number of bytes to keep per stream. */
  readonly bytesMax: number;
  readonly clock: Pick<Clock, "now" | "after">;
  /** Called once for each stream and once for the index, with the error after which nothing more is kept there. */
  readonly onFailure: (file: StreamName | "index", error: unknown) => void;
}

export interface OutputEnd extends Readonly<Record<StreamName, StreamEnd>> {
  readonly orderBytes: number;
}

/** A stream is read on while fewer of its bytes wait for the disk, so that a slow write does not blur the order of reads. */
const readAheadBytes = 64 * 1024;

interface Read {
  readonly stream: StreamName;
  readonly chunk: Uint8Array;
  readonly time: number;
  readonly written: PromiseWithResolvers<void>;
}

/** The files after `output`, which begin where its bytes end. */
interface Files extends Readonly<Record<StreamName, KeptOutput>> {
  readonly index: IndexFile;
}

/** Writes both streams of an attempt in the order of their reads, one read after the other. */
export class OrderedOutput {
  readonly #options: OrderedOutputOptions;
  readonly #opening: OpeningFile;
  #files: Files | null = null;
  #ends: StreamOffsets = { stdout: 0, stderr: 0 };
  #newestTime = 0;
  readonly #waiting: Read[] = [];
  readonly #waitingBytes: Record<StreamName, number> = { stdout: 0, stderr: 0 };
  #writing: Promise<void> | null = null;

  constructor(options: OrderedOutputOptions) {
    this.#options = options;
    this.#opening = new OpeningFile(options);
  }

  /** Takes a read, with its time and its place in the order. Resolves when the stream may be read on. Never rejects. */
  add(stream: StreamName, chunk: Uint8Array): Promise<void> {
    // a clock that is set back does not change the order
    this.#newestTime = Math.max(this.#newestTime, this.#options.clock.now());
    const written = Promise.withResolvers<void>();
    this.#waiting.push({ stream, chunk, time: this.#newestTime, written });
    this.#waitingBytes[stream] += chunk.length;
    this.#writing ??= this.#writeWaiting();
    return this.#waitingBytes[stream] < readAheadBytes ? Promise.resolve() : written.promise;
  }

  /** Waits for the disk, and returns how much was kept. */
  async close(): Promise<OutputEnd> {
    await this.#writing;
    await this.#opening.close();
    const { orderBytes } = this.#opening;
    const files = this.#files;
    if (files === null) return { ...this.#endsInOpening(), orderBytes };
    const [stdout, stderr] = await Promise.all([files.stdout.close(), files.stderr.close(), files.index.close()]);
    return { stdout, stderr, orderBytes: orderBytes + files.index.size };
  }

  async #writeWaiting(): Promise<void> {
    for (let read = this.#waiting.shift(); read !== undefined; read = this.#waiting.shift()) {
      await this.#write(read);
      this.#waitingBytes[read.stream] -= read.chunk.length;
      read.written.resolve();
    }
    this.#writing = null;
  }

  /** A record is written after its bytes, so that no record promises bytes that a crash took. */
  async #write({ stream, chunk, time }: Read): Promise<void> {
    const before = this.#ends;
    this.#ends = { ...before, [stream]: before[stream] + chunk.length };
    const record: OrderRecord = { stream, time, ends: this.#ends };
    if (this.#files === null) {
      if (await this.#opening.add(record, chunk)) return;
      this.#files = await this.#openFiles(before);
    }
    await this.#files[stream].add(chunk);
    await this.#files.index.add(record);
  }

  async #openFiles(from: StreamOffsets): Promise<Files> {
    const { folder, bytesMax, clock, onFailure } = this.#options;
    const keep = (stream: StreamName): KeptOutput =>
      new KeptOutput({ folder, stream, bytesMax, from: from[stream], onFailure: (error) => onFailure(stream, error) });
    const [stdout, stderr] = [keep("stdout"), keep("stderr")];
    const index = new IndexFile({
      folder,
      bytesMax,
      from,
      clock,
      cutRanges: () => ({ stdout: stdout.cutRange, stderr: stderr.cutRange }),
      onFailure: (error) => onFailure("index", error),
    });
    await index.create();
    return { stdout, stderr, index };
  }

  #endsInOpening(): Readonly<Record<StreamName, StreamEnd>> {
    const [stdout, stderr] = streamNames.map((stream) => ({ written: this.#ends[stream], cut: 0 }));
    return { stdout: stdout!, stderr: stderr! };
  }
}
