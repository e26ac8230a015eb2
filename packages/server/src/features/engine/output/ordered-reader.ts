import type { Opening, OrderRecord, StreamOffsets } from "../../../runner/output/order-record.ts";
import type { StreamName } from "../../../runner/protocol/messages.ts";
import { findOutput } from "./find-output.ts";
import { IndexReader } from "./index-reader.ts";
import type { KeptPiece } from "./kept-files.ts";
import { StreamCursor } from "./stream-cursor.ts";

/** A part of a run's output. Without a time, if the runner's read was not recorded. */
export type OutputPart = KeptPiece & { readonly stream: StreamName; readonly time?: number };

/**
 * A record follows its bytes, most often within 10 ms. Bytes without a record wait for it during so many looks; then the
 * runner could not write it.
 */
const looksForRecord = 20;

export interface OrderedReaderOptions {
  readonly folders: readonly string[];
  readonly streams: readonly StreamName[];
  readonly from: StreamOffsets;
}

type Cursors = ReadonlyMap<StreamName, StreamCursor>;

/** Reads streams in the order in which the runner read them, in looks that each continue where the last one ended. */
export class OrderedReader {
  readonly #at: Record<StreamName, number>;
  readonly #folders: readonly string[];
  readonly #streams: readonly StreamName[];
  /** The last record that was used, and its number. */
  #last: { readonly number: number; readonly record: OrderRecord } | null = null;
  #looksWithoutRecord = 0;
  #isUnrecorded = false;

  constructor({ folders, streams, from }: OrderedReaderOptions) {
    this.#folders = folders;
    this.#streams = streams;
    this.#at = { ...from };
  }

  /** Reads on. Bytes whose record is not written yet are left to the next look, unless this is the last one. */
  async *look({ isLast }: { readonly isLast: boolean }): AsyncGenerator<OutputPart> {
    const found = await findOutput(this.#folders);
    if (found === null) return;
    yield* this.#readOpening(found.opening);
    if (!found.hasStreamFiles) return;
    await using opened = new AsyncDisposableStack();
    const cursors: Cursors = new Map(
      this.#streams.map((stream) => [stream, opened.use(new StreamCursor(this.#folders, stream, this.#at[stream]))]),
    );
    yield* this.#readRecorded(cursors);
    if (!isLast && found.isOrdered && !(await this.#lacksRecord(cursors))) return;
    for (const stream of this.#streams) yield* this.#readUpTo(cursors, { stream, end: Number.POSITIVE_INFINITY });
  }

  *#readOpening({ pieces }: Opening): Generator<OutputPart> {
    for (const { stream, time, offset, bytes } of pieces) {
      const at = this.#at[stream];
      if (!this.#streams.includes(stream) || at >= offset + bytes.length) continue;
      this.#at[stream] = offset + bytes.length;
      yield { stream, time, offset: at, bytes: bytes.subarray(at - offset) };
    }
  }

  async *#readRecorded(cursors: Cursors): AsyncGenerator<OutputPart> {
    await using index = await IndexReader.open(this.#folders);
    if (index === null) return;
    for (let number = await this.#nextRecord(index); number < index.count;) {
      const records = await index.read(number);
      for (const record of records) {
        if (record !== null) {
          yield* this.#readRecord(cursors, record);
          this.#last = { number, record };
          this.#isUnrecorded = false;
          this.#looksWithoutRecord = 0;
        }
        number += 1;
      }
      if (records.length === 0) return;
    }
  }

  /** Finds the first record whose bytes are not read yet. */
  async #nextRecord(index: IndexReader): Promise<number> {
    if (this.#last !== null) {
      const { number, record } = this.#last;
      const [same = null] = await index.read(number, 1);
      // all records before and after are then in their places too
      if (same?.ends.stdout === record.ends.stdout && same.ends.stderr === record.ends.stderr) return number + 1;
    }
    return index.findFirst(({ ends }) => this.#streams.some((stream) => ends[stream] > this.#at[stream]));
  }

  /** If the other stream has grown, records before this one were left out, and its bytes come first. */
  async *#readRecord(cursors: Cursors, { stream, time, ends }: OrderRecord): AsyncGenerator<OutputPart> {
    const other = stream === "stdout" ? "stderr" : "stdout";
    for (const each of [other, stream] as const)
      yield* this.#readUpTo(cursors, { stream: each, end: ends[each], time });
  }

  async *#readUpTo(
    cursors: Cursors,
    { end, ...described }: { readonly stream: StreamName; readonly end: number; readonly time?: number },
  ): AsyncGenerator<OutputPart> {
    const cursor = cursors.get(described.stream);
    for (let piece; (piece = (await cursor?.take(end)) ?? null) !== null;) {
      this.#at[described.stream] = cursor!.at;
      yield { ...piece, ...described };
    }
  }

  /** Whether bytes have waited for their record for too long. */
  async #lacksRecord(cursors: Cursors): Promise<boolean> {
    if (this.#isUnrecorded) return true;
    const more = await Promise.all([...cursors.values()].map((cursor) => cursor.hasMore()));
    this.#looksWithoutRecord = more.includes(true) ? this.#looksWithoutRecord + 1 : 0;
    this.#isUnrecorded = this.#looksWithoutRecord > looksForRecord;
    return this.#isUnrecorded;
  }
}
