import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pieceOffset } from "../../runner/kept-output.ts";
import { type StreamEnd, type StreamName, streamNames } from "../../runner/messages.ts";
import { outputFolders } from "../../runner/places.ts";

/** What an attempt's files say of its output, where its runner can no longer tell. */
export async function countKept(dataDir: string, attemptId: string): Promise<Readonly<Record<StreamName, StreamEnd>>> {
  const counts = { stdout: { written: 0, cut: 0 }, stderr: { written: 0, cut: 0 } };
  for (const folder of outputFolders(dataDir, attemptId)) {
    const names = await readdir(folder).catch(() => []);
    for (const stream of streamNames) counts[stream] = await countStream(folder, stream, names, counts[stream]);
  }
  return counts;
}

async function countStream(
  folder: string,
  stream: StreamName,
  names: readonly string[],
  none: StreamEnd,
): Promise<StreamEnd> {
  let kept = 0;
  let written = 0;
  for (const name of names) {
    const offset = pieceOffset(stream, name);
    if (offset === null) continue;
    const { size } = await stat(join(folder, name));
    kept += size;
    written = Math.max(written, offset + size);
  }
  return written === 0 ? none : { written, cut: written - kept };
}
