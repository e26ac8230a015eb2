import type { OutputLine } from "@belfry/client";
import type { Output } from "../output/output.ts";
import { formatBytes, formatClock } from "../output/time.ts";

const unknownTime = "-".padEnd(formatClock("1970-01-01T00:00:00.000Z").length);

/** Prints lines of output, each after its time. Returns whether there was any. */
export async function printLines(lines: AsyncIterable<OutputLine>, out: Output): Promise<boolean> {
  let isAny = false;
  for await (const { stream, time, text, isWhole, droppedBefore } of lines) {
    isAny = true;
    if (droppedBefore > 0) out.writeError(describeDropped(droppedBefore, stream));
    // only dropped bytes
    if (text === "" && !isWhole) continue;
    const line = `${time === undefined ? unknownTime : formatClock(time)} ${text}\n`;
    if (stream === "stdout") out.write(line);
    else out.writeError(line);
    await out.untilRead();
  }
  return isAny;
}

export function describeDropped(bytes: number, stream: OutputLine["stream"]): string {
  return `[${formatBytes(bytes)} of ${stream} dropped]\n`;
}
