import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pieceOffset } from "../../../runner/output/kept-pieces.ts";
import { indexName, openingName } from "../../../runner/output/order-record.ts";
import { outputFolders } from "../../../runner/places.ts";
import { type StreamEnd, type StreamName } from "../../../runner/protocol/messages.ts";
import { findOutput, listOutput } from "./find-output.ts";

export interface KeptCounts extends Readonly<Record<StreamName, StreamEnd>> {
  /** What the order of the output takes on disk. */
  readonly orderBytes: number;
}

/** Counts an attempt's output by its files, when its runner is gone. */
export async function countKept(dataDir: string, attemptId: string): Promise<KeptCounts> {
  const folders = outputFolders(dataDir, attemptId);
  const [listed, found] = [await listOutput(folders), await findOutput(folders)];
  const nothing = { written: 0, cut: 0 };
  if (listed === null || found === null) return { stdout: nothing, stderr: nothing, orderBytes: 0 };
  const sizes = new Map<string, number>();
  for (const name of listed.names) sizes.set(name, (await stat(join(listed.folder, name))).size);
  const { ends } = found.opening;
  return {
    stdout: countStream("stdout", ends.stdout, sizes),
    stderr: countStream("stderr", ends.stderr, sizes),
    orderBytes: (sizes.get(openingName) ?? 0) - ends.stdout - ends.stderr + (sizes.get(indexName) ?? 0),
  };
}

function countStream(stream: StreamName, opening: number, sizes: ReadonlyMap<string, number>): StreamEnd {
  let kept = opening;
  let written = opening;
  for (const [name, size] of sizes) {
    const offset = pieceOffset(stream, name);
    if (offset === null) continue;
    kept += size;
    written = Math.max(written, offset + size);
  }
  return { written, cut: written - kept };
}
