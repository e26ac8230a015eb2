import type { AuditEvent } from "@belfry/client";
import { open, rm } from "node:fs/promises";
import { explainRefusal, publish } from "../free-name.ts";
import { usage } from "../failure.ts";
import type { Output } from "../output/output.ts";

/** Lines are written in pieces of about this size: a system call for each would take longer than the lines. */
const pieceCharacters = 65_536;

type WritePiece = (piece: string) => unknown;

/** Writes each record as a line of JSON, and returns their number. */
export async function writeEvents(events: AsyncIterable<AuditEvent>, write: WritePiece): Promise<number> {
  let piece = "";
  let count = 0;
  for await (const event of events) {
    piece += `${JSON.stringify(event)}\n`;
    count += 1;
    if (piece.length < pieceCharacters) continue;
    await write(piece);
    piece = "";
  }
  if (piece !== "") await write(piece);
  return count;
}

/** Passes on what `work` writes to a new file, which appears only once it is complete, or to standard output. */
export async function writeTo<T>(
  path: string | undefined,
  out: Output,
  work: (write: WritePiece) => Promise<T>,
): Promise<T> {
  if (path === undefined)
    return work((piece) => {
      out.write(piece);
      return out.untilRead();
    });
  const unfinished = `${path}.unfinished`;
  const file = await open(unfinished, "w", 0o600).catch((error: unknown) => {
    throw usage(explainRefusal(error, path));
  });
  try {
    const result = await work((piece) => file.appendFile(piece));
    await file.sync();
    await file.close();
    await publish(unfinished, path);
    return result;
  } finally {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
  }
}

export function recordsText(count: number): string {
  return count === 1 ? "1 record" : `${count} records`;
}
