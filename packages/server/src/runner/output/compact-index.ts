import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { StreamName } from "../protocol/messages.ts";
import type { CutRange } from "./kept-output.ts";
import {
  decodeRecord,
  indexName,
  newIndexName,
  type OrderRecord,
  recordBytes,
  type StreamOffsets,
} from "./order-record.ts";

/** What a record adds to the one before: bytes that were cut since, bytes of one stream, or bytes of both. */
export const growths = { cut: 0, stdout: 1, stderr: 2, both: 3 } as const;

export interface Compaction {
  readonly folder: string;
  /** The index, with whole records only. */
  readonly file: FileHandle;
  readonly size: number;
  /** Where both streams end in the file `output`. */
  readonly from: StreamOffsets;
  readonly cutRanges: Readonly<Record<StreamName, CutRange>>;
  /** The maximum size of the index. */
  readonly bytesMax: number;
}

/** Memory for one part of the index, however large it is. */
const windowBytes = 2_730 * recordBytes;

/** Replaces the index by a shorter one, and returns its open file. The former file stays open. */
export async function compactIndex(
  compaction: Compaction,
): Promise<{ readonly file: FileHandle; readonly size: number }> {
  const { folder, bytesMax } = compaction;
  const kept = selectRecords(await readGrowths(compaction), Math.floor(bytesMax / recordBytes));
  const path = join(folder, newIndexName);
  const file = await open(path, "w+", 0o600);
  try {
    const size = await copyRecords(compaction, kept, file);
    await rename(path, join(folder, indexName));
    return { file, size };
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Decides for each record whether it stays (1) or is merged into the next one (0). Records whose bytes are all cut go. Only if
 * more than 15/16 of the maximum remain, the older half loses others: first times, by merging records of one stream, oldest
 * first; and if that is not enough, the order within pairs. The newest half always stays exact.
 */
export function selectRecords(growthsOfRecords: Uint8Array, recordsMax: number): Uint8Array {
  const last = growthsOfRecords.length - 1;
  const kept = growthsOfRecords.map((growth, index) => (growth === growths.cut && index < last ? 0 : 1));
  const indexes = indexesOf(kept);
  if (indexes.length <= (recordsMax * 15) / 16) return kept;
  const older = indexes.subarray(0, indexes.length >> 1);
  const enough = recordsMax / 2;
  let count = indexes.length;
  for (let at = 0; at < older.length && count > enough; at++) {
    const growth = growthsOfRecords[indexes[at]!]!;
    if (growth === growths.both || growth === growths.cut || growth !== growthsOfRecords[indexes[at + 1]!]) continue;
    kept[indexes[at]!] = 0;
    count -= 1;
  }
  if (count <= (recordsMax * 3) / 4) return kept;
  const left = older.filter((index) => kept[index] === 1);
  for (let at = 0; at < left.length; at += 2) kept[left[at]!] = 0;
  return kept;
}

function indexesOf(kept: Uint8Array): Uint32Array {
  const indexes = new Uint32Array(kept.reduce((sum, each) => sum + each, 0));
  let count = 0;
  for (const [index, each] of kept.entries()) if (each === 1) indexes[count++] = index;
  return indexes;
}

async function readGrowths(compaction: Compaction): Promise<Uint8Array> {
  const growthsOfRecords = new Uint8Array(compaction.size / recordBytes);
  let before = compaction.from;
  for await (const { bytes, first } of windowsOf(compaction)) {
    for (let at = 0; at < bytes.length; at += recordBytes) {
      const record = decodeRecord(bytes, at);
      // a damaged record is left out, as one without bytes would be
      if (record === null) continue;
      growthsOfRecords[first + at / recordBytes] = growthOf(record, before, compaction.cutRanges);
      before = record.ends;
    }
  }
  return growthsOfRecords;
}

function growthOf({ ends }: OrderRecord, before: StreamOffsets, cutRanges: Compaction["cutRanges"]): number {
  const isKept = (stream: StreamName): boolean => {
    const { from, to } = cutRanges[stream];
    return ends[stream] > before[stream] && (before[stream] < from || ends[stream] > to);
  };
  const grows = (stream: StreamName): boolean => ends[stream] > before[stream];
  if (!isKept("stdout") && !isKept("stderr")) return growths.cut;
  if (grows("stdout") && grows("stderr")) return growths.both;
  return grows("stdout") ? growths.stdout : growths.stderr;
}

async function copyRecords(compaction: Compaction, kept: Uint8Array, to: FileHandle): Promise<number> {
  let size = 0;
  for await (const { bytes, first } of windowsOf(compaction)) {
    let end = 0;
    for (let at = 0; at < bytes.length; at += recordBytes) {
      if (kept[first + at / recordBytes] === 0) continue;
      bytes.copyWithin(end, at, at + recordBytes);
      end += recordBytes;
    }
    await to.appendFile(bytes.subarray(0, end));
    size += end;
  }
  return size;
}

async function* windowsOf({
  file,
  size,
}: Compaction): AsyncGenerator<{ readonly bytes: Buffer; readonly first: number }> {
  const window = Buffer.allocUnsafe(Math.min(size, windowBytes));
  for (let at = 0; at < size; at += windowBytes) {
    const bytes = window.subarray(0, Math.min(windowBytes, size - at));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
    if (bytesRead < bytes.length) throw new Error(`the index of the output ends after ${at + bytesRead} bytes`);
    yield { bytes, first: at / recordBytes };
  }
}
