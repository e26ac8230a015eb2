import type { SseFrame } from "../../../kernel/operation.ts";
import { formatInstant } from "../../../kernel/time/time.ts";
import type { OutputPart } from "./ordered-reader.ts";

/** A batch has at least so many bytes of output, unless nothing more is there. */
const batchBytes = 64 * 1024;
/** Each event has some bytes of its own, however small its part is. */
const eventBytes = 100;

/** Encodes parts as events, in batches of bounded size: a run may have thousands of small parts. */
export async function* batchFrames(parts: AsyncIterable<OutputPart>): AsyncGenerator<readonly SseFrame[]> {
  let batch: SseFrame[] = [];
  let bytes = 0;
  for await (const part of parts) {
    batch.push(frameOf(part));
    bytes += eventBytes + ("bytes" in part ? part.bytes.length : 0);
    if (bytes < batchBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function frameOf(part: OutputPart): SseFrame {
  const { stream, time } = part;
  if ("cut" in part) return { event: "cut", json: JSON.stringify({ stream, ...part.cut }) };
  const base64 = Buffer.from(part.bytes).toString("base64");
  const timed = time === undefined ? {} : { time: formatInstant(time) };
  return { event: "output", json: JSON.stringify({ stream, offset: part.offset, base64, ...timed }) };
}
