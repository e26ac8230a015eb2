import { type FileHandle, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pieceOffset } from "../../../runner/output/kept-pieces.ts";
import { indexName, type Opening, openingName, parseOpening } from "../../../runner/output/order-record.ts";
import { streamNames } from "../../../runner/protocol/messages.ts";
import { isMissing } from "../../../runner/system-error.ts";

/** What an attempt has of its output. */
export interface FoundOutput {
  readonly opening: Opening;
  /** Whether a stream has files of its own: the file `output` is then complete. */
  readonly hasStreamFiles: boolean;
  /** Whether the order was recorded. Runners of former versions did not. */
  readonly isOrdered: boolean;
}

/** Looks for the output of an attempt; null if it has none yet. */
export async function findOutput(folders: readonly string[]): Promise<FoundOutput | null> {
  for (;;) {
    const listed = await listOutput(folders);
    if (listed === null) return null;
    const { folder, names } = listed;
    const hasOpening = names.includes(openingName);
    try {
      // read after the names: the streams get files of their own only when this one is complete
      const opening = parseOpening(hasOpening ? await readFile(join(folder, openingName)) : Buffer.alloc(0));
      const isOrdered = hasOpening || names.includes(indexName);
      return { opening, hasStreamFiles: names.some(isStreamFile), isOrdered };
    } catch (error) {
      // the folder was moved or removed since it was listed
      if (!isMissing(error)) throw error;
    }
  }
}

interface ListedOutput {
  readonly folder: string;
  readonly names: readonly string[];
}

/** Lists the files of the first folder that has output. */
export async function listOutput(folders: readonly string[]): Promise<ListedOutput | null> {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    if (names.some((name) => name === openingName || isStreamFile(name))) return { folder, names };
  }
  return null;
}

/** Opens a file in the first folder that has it; null if it was removed. */
export async function openFirst(folders: readonly string[], name: string): Promise<FileHandle | null> {
  for (const folder of folders) {
    try {
      return await open(join(folder, name));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return null;
}

function isStreamFile(name: string): boolean {
  return streamNames.some((stream) => pieceOffset(stream, name) !== null);
}
