import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pieceOffset } from "../../runner/output/kept-pieces.ts";
import { type StreamEnd, type StreamName, streamNames } from "../../runner/protocol/messages.ts";
import { outputFolders } from "../../runner/places.ts";

/** Counts an attempt's output by its files, when its runner is gone. */
export async function countKept(dataDir: string, attemptId: string): Promise<Readonly<Record<StreamName, StreamEnd>>> {
  const nothing = { written: 0, cut: 0 };
  for (const folder of outputFolders(dataDir, attemptId)) {
    const names = await readdir(folder).catch(() => null);
    if (names === null) continue;
    const [stdout, stderr] = await Promise.all(streamNames.map((stream) => countStream(folder, stream, names)));
    return { stdout: stdout ?? nothing, stderr: stderr ?? nothing };
  }
  return { stdout: nothing, stderr: nothing };
}

async function countStream(folder: string, stream: StreamName, names: readonly string[]): Promise<StreamEnd> {
  let kept = 0;
  let written = 0;
  for (const name of names) {
    const offset = pieceOffset(stream, name);
    if (offset === null) continue;
    const { size } = await stat(join(folder, name));
    kept += size;
    written = Math.max(written, offset + size);
  }
  return { written, cut: written - kept };
}
