import type { StreamOffsets } from "../../../runner/output/order-record.ts";
import { type StreamName, streamNames } from "../../../runner/protocol/messages.ts";
import type { AttemptRow } from "../../runs/index.ts";
import { BackwardCursor } from "./backward-cursor.ts";
import { findOutput, type FoundOutput } from "./find-output.ts";
import { IndexReader } from "./index-reader.ts";
import { type BackwardStep, stepBackward } from "./read-backward.ts";
import { TailLines } from "./tail-lines.ts";

/** Where the caller wants to start. */
export interface OutputStart {
  readonly offsets: StreamOffsets;
  readonly tail: number | null;
  readonly since: number | null;
}

export interface OutputPlace {
  readonly folders: readonly string[];
  readonly streams: readonly StreamName[];
  readonly attempt: Pick<AttemptRow, "endedAt">;
}

const everything: StreamOffsets = { stdout: 0, stderr: 0 };
const nothing: StreamOffsets = { stdout: Number.MAX_SAFE_INTEGER, stderr: Number.MAX_SAFE_INTEGER };

/** Finds the offsets at which the output starts that the caller wants. */
export async function findStart(place: OutputPlace, { offsets, tail, since }: OutputStart): Promise<StreamOffsets> {
  const starts = [offsets];
  if (tail !== null) starts.push(await findTail(place, tail));
  if (since !== null) starts.push(await findSince(place, since));
  return {
    stdout: Math.max(...starts.map(({ stdout }) => stdout)),
    stderr: Math.max(...starts.map(({ stderr }) => stderr)),
  };
}

async function findTail({ folders, streams }: OutputPlace, lines: number): Promise<StreamOffsets> {
  const found = await findOutput(folders);
  if (found === null) return everything;
  if (streams.length > 1 && found.isOrdered)
    return lastLines(folders, found, { lines, steps: stepBackward(folders, found) });
  const starts: Record<StreamName, number> = { ...everything };
  for (const stream of streams) {
    const steps = [{ stream, from: 0 }];
    starts[stream] = (await lastLines(folders, found, { lines, steps }))[stream];
  }
  return starts;
}

async function lastLines(
  folders: readonly string[],
  { opening }: FoundOutput,
  { lines, steps }: { readonly lines: number; readonly steps: AsyncIterable<BackwardStep> | Iterable<BackwardStep> },
): Promise<StreamOffsets> {
  const [stdout, stderr] = await Promise.all(
    streamNames.map((stream) => BackwardCursor.open(folders, stream, opening)),
  );
  const cursors = { stdout: stdout!, stderr: stderr! };
  const tail = new TailLines(lines, { stdout: cursors.stdout.end, stderr: cursors.stderr.end });
  for await (const { stream, from } of steps) {
    if (!streamNames.some((each) => tail.needs(each))) break;
    for (let taken; tail.needs(stream) && (taken = await cursors[stream].takeBack(from)) !== null;)
      tail.addBefore(stream, taken.offset, taken.bytes);
  }
  return tail.starts();
}

async function findSince({ folders, attempt }: OutputPlace, since: number): Promise<StreamOffsets> {
  if (attempt.endedAt !== null && attempt.endedAt < since) return nothing;
  const found = await findOutput(folders);
  if (found === null) return everything;
  const { pieces, ends } = found.opening;
  const starts: Record<StreamName, number> = { ...everything };
  for (const { stream, time, offset, bytes } of pieces) {
    if (time >= since) return starts;
    starts[stream] = offset + bytes.length;
  }
  if (!found.hasStreamFiles) return ends;
  await using index = await IndexReader.open(folders);
  const first = (await index?.findFirst(({ time }) => time >= since)) ?? 0;
  const [before = null] = first === 0 ? [] : await index!.read(first - 1, 1);
  return before?.ends ?? ends;
}
