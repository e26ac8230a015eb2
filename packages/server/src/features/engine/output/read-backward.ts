import type { OrderRecord, StreamOffsets } from "../../../runner/output/order-record.ts";
import type { StreamName } from "../../../runner/protocol/messages.ts";
import type { FoundOutput } from "./find-output.ts";
import { IndexReader } from "./index-reader.ts";

/** 16 KiB of records: the last lines of a run have few. */
const windowRecords = 682;

/** A range of one stream that begins at `from` and ends where the range of that stream before it began. */
export interface BackwardStep {
  readonly stream: StreamName;
  readonly from: number;
}

/** Lists the ranges of the streams in the order in which the runner read them, from the last to the first. */
export async function* stepBackward(
  folders: readonly string[],
  { opening, hasStreamFiles }: FoundOutput,
): AsyncGenerator<BackwardStep> {
  if (hasStreamFiles) yield* stepThroughIndex(folders, opening.ends);
  for (const { stream, offset } of opening.pieces.toReversed()) yield { stream, from: offset };
  // what the pieces do not say: the streams of an attempt without any record
  yield* stepsOf(null, { stdout: 0, stderr: 0 });
}

async function* stepThroughIndex(folders: readonly string[], first: StreamOffsets): AsyncGenerator<BackwardStep> {
  await using index = await IndexReader.open(folders);
  /** The record after the one that is looked at: only with that one is its begin known. */
  let after: OrderRecord | null = null;
  for (let number = index?.count ?? 0; index !== null && number > 0;) {
    const begin = Math.max(0, number - windowRecords);
    const records = await index.read(begin, number - begin);
    for (const record of records.toReversed()) {
      if (record === null) continue;
      yield* stepsOf(after, record.ends);
      after = record;
    }
    number = begin;
  }
  yield* stepsOf(after, first);
}

/** The bytes after the last record have none: their order is unknown. */
function* stepsOf(record: OrderRecord | null, before: StreamOffsets): Generator<BackwardStep> {
  const stream = record?.stream ?? "stderr";
  const other = stream === "stdout" ? "stderr" : "stdout";
  yield { stream, from: before[stream] };
  yield { stream: other, from: before[other] };
}
