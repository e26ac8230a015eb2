import { hashBytes } from "../fnv.ts";
import type { StreamName } from "../protocol/messages.ts";

/**
 * The order and times of an attempt's output. Two files beside those of the streams hold them:
 *   output      the first bytes of the attempt: records, each followed by its bytes, both streams in the order of reading. It
 *               is never rewritten. Once it is full, the bytes go to the files of their streams. The first of these begins
 *               where the stream's bytes in `output` end
 *   index       records without bytes, for the files of the streams. It may be missing, incomplete or damaged: then only
 *               order and times are unknown
 *   index.new   a shorter `index` that is being written. No reader opens it
 */
export const openingName = "output";
export const indexName = "index";
export const newIndexName = "index.new";

/**
 * A read of the runner: its stream, its time, and how far both streams had been written after it. The growth of its stream
 * since the record before is its length. In `index`, a record may stand for several reads, and its time is that of the
 * newest. If the other stream has grown too, records between were left out, and the bytes of the other stream come first.
 */
export interface OrderRecord {
  readonly stream: StreamName;
  /** Never less than in the record before. */
  readonly time: number;
  readonly ends: StreamOffsets;
}

export type StreamOffsets = Readonly<Record<StreamName, number>>;

/** A record's length in bytes: a check (u32), the stream (u16), the time, the ends of stdout and stderr (u48 each). */
export const recordBytes = 24;

const streamCodes = { stdout: 1, stderr: 2 } as const;

export function encodeRecord({ stream, time, ends }: OrderRecord): Buffer {
  const bytes = Buffer.allocUnsafe(recordBytes);
  bytes.writeUInt16BE(streamCodes[stream], 4);
  bytes.writeUIntBE(time, 6, 6);
  bytes.writeUIntBE(ends.stdout, 12, 6);
  bytes.writeUIntBE(ends.stderr, 18, 6);
  bytes.writeUInt32BE(hashBytes(bytes.subarray(4)), 0);
  return bytes;
}

/** Decodes the record at a position; null if it is incomplete or damaged. */
export function decodeRecord(bytes: Buffer, position = 0): OrderRecord | null {
  if (position + recordBytes > bytes.length) return null;
  const record = bytes.subarray(position, position + recordBytes);
  if (record.readUInt32BE(0) !== hashBytes(record.subarray(4))) return null;
  const stream = streamOf(record.readUInt16BE(4));
  if (stream === null) return null;
  const ends = { stdout: record.readUIntBE(12, 6), stderr: record.readUIntBE(18, 6) };
  return { stream, time: record.readUIntBE(6, 6), ends };
}

function streamOf(code: number): StreamName | null {
  if (code === streamCodes.stdout) return "stdout";
  return code === streamCodes.stderr ? "stderr" : null;
}

/** A part of the file `output`. */
export interface OpeningPiece {
  readonly stream: StreamName;
  readonly time: number;
  /** The position of the first byte in its stream. */
  readonly offset: number;
  readonly bytes: Buffer;
}

/** The file `output`, as far as it can be read. */
export interface Opening {
  /** In the order of reading. */
  readonly pieces: readonly OpeningPiece[];
  /** Where the bytes of each stream end. */
  readonly ends: StreamOffsets;
}

/**
 * Parses the file `output`. The last piece may be incomplete, if the runner died while it wrote. A damaged record ends the
 * file, because nothing tells the streams of the bytes after it.
 */
export function parseOpening(file: Buffer): Opening {
  const pieces: OpeningPiece[] = [];
  let ends: StreamOffsets = { stdout: 0, stderr: 0 };
  for (let at = 0; ;) {
    const record = decodeRecord(file, at);
    if (record === null || !isNext(record, ends)) return { pieces, ends };
    const { stream, time } = record;
    const offset = ends[stream];
    const begin = at + recordBytes;
    at = begin + record.ends[stream] - offset;
    const bytes = file.subarray(begin, at);
    if (bytes.length > 0) pieces.push({ stream, time, offset, bytes });
    ends = { ...ends, [stream]: offset + bytes.length };
  }
}

/** Whether a record of `output` has bytes, and all of them of its stream. */
function isNext({ stream, ends }: OrderRecord, before: StreamOffsets): boolean {
  const other = stream === "stdout" ? "stderr" : "stdout";
  return ends[stream] > before[stream] && ends[other] === before[other];
}

/** The maximum size of the file `output`, so that each stream's part of it fits into the half that is never cut. */
export function openingBytesMax(outputBytesMax: number): number {
  return Math.min(64 * 1024, Math.floor(outputBytesMax / 2));
}

/** The maximum size of the file `index`. With any bound of the output, 10,000 records fit. */
export function indexBytesMax(outputBytesMax: number): number {
  return Math.min(16 * 1024 * 1024, 256 * 1024 + Math.floor(outputBytesMax / 8));
}
