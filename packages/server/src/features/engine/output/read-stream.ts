import type { Opening } from "../../../runner/output/order-record.ts";
import type { StreamName } from "../../../runner/protocol/messages.ts";
import { findOutput } from "./find-output.ts";
import { type KeptPiece, readKept } from "./kept-files.ts";

/** Reads the kept bytes of a stream from `offset` on, whatever is known of their order. */
export async function* readStream(
  folders: readonly string[],
  stream: StreamName,
  offset: number,
): AsyncGenerator<KeptPiece> {
  const found = await findOutput(folders);
  if (found === null) return;
  const bytes = bytesOf(found.opening, stream).subarray(offset);
  if (bytes.length > 0) yield { offset, bytes };
  if (found.hasStreamFiles) yield* readKept(folders, stream, offset + bytes.length);
}

/** Returns the bytes of a stream in the file `output`, which begins with the stream's first byte. */
export function bytesOf(opening: Opening, stream: StreamName): Buffer {
  return Buffer.concat(opening.pieces.flatMap((piece) => (piece.stream === stream ? [piece.bytes] : [])));
}
