import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pieceName } from "../../src/runner/output/kept-pieces.ts";
import { encodeRecord, indexName, openingName, type OrderRecord } from "../../src/runner/output/order-record.ts";
import { type StreamName, streamNames } from "../../src/runner/protocol/messages.ts";

export interface PlantedWrite {
  readonly stream: StreamName;
  readonly time: number;
  readonly bytes: Buffer;
}

export interface PlantOptions {
  /** The size of the file `output`; 0 for none. */
  readonly openingMax: number;
  /** The size of a file of a stream. */
  readonly pieceMax: number;
  /** Whether the record of a write is left out, as a compaction does. */
  readonly leavesOut?: (number: number) => boolean;
}

/** Writes an attempt's output as the runner does, without cutting anything. */
export class PlantedOutput {
  readonly ends: Record<StreamName, number> = { stdout: 0, stderr: 0 };
  readonly #folder: string;
  readonly #options: PlantOptions;
  readonly #pieces: Record<StreamName, number | null> = { stdout: null, stderr: null };
  #openingLeft: number;
  #count = 0;

  constructor(folder: string, options: PlantOptions) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
    this.#options = options;
    this.#openingLeft = options.openingMax;
  }

  add({ stream, time, bytes }: PlantedWrite): void {
    const begin = this.ends[stream];
    this.ends[stream] += bytes.length;
    const record = encodeRecord({ stream, time, ends: this.ends });
    if (record.length + bytes.length <= this.#openingLeft) {
      this.#openingLeft -= record.length + bytes.length;
      return appendFileSync(join(this.#folder, openingName), Buffer.concat([record, bytes]));
    }
    this.#openingLeft = 0;
    this.addWithoutRecord(stream, begin, bytes);
    if (this.#options.leavesOut?.(this.#count++) !== true) appendFileSync(join(this.#folder, indexName), record);
  }

  addWithoutRecord(stream: StreamName, begin: number, bytes: Buffer): void {
    const { pieceMax } = this.#options;
    for (let done = 0; done < bytes.length;) {
      const at = begin + done;
      this.#pieces[stream] ??= at;
      if (at - this.#pieces[stream] === pieceMax) this.#pieces[stream] = at;
      const part = bytes.subarray(done, done + pieceMax - (at - this.#pieces[stream]));
      appendFileSync(join(this.#folder, pieceName(stream, this.#pieces[stream])), part);
      done += part.length;
    }
  }
}

/** An index of these records, as bytes. */
export function indexOf(records: readonly OrderRecord[]): Buffer {
  return Buffer.concat(records.map(encodeRecord));
}

/** Joins all bytes that were written to each stream. */
export function streamsOf(writes: readonly PlantedWrite[]): Readonly<Record<StreamName, Buffer>> {
  const [stdout, stderr] = streamNames.map((stream) =>
    Buffer.concat(writes.flatMap((write) => (write.stream === stream ? [write.bytes] : []))),
  );
  return { stdout: stdout!, stderr: stderr! };
}
