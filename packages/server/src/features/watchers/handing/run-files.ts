import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Bytes } from "../observing/name-hash.ts";
import { syncFolder } from "../../../kernel/files/sync-folder.ts";

/*
 * The files of a run, in `watchers/files`: `<run id>` has the paths, each ended by NUL, for the process alone; `<run id>.known`
 * has their states as keyed hashes, until these are in what the watcher knows. Both are on disk before the run's row is. A
 * waiting run gets more files by two renames in the turn that finds that it still waits, the states first: states of paths
 * that the other file does not have are ignored.
 */

const knownSuffix = ".known";
const newSuffix = ".new";

export interface RunFilesContent {
  readonly paths: readonly Bytes[];
  readonly known: Buffer;
  /** The run waits with other files already. */
  readonly joins: boolean;
  /** The run that this one replaces, and whose files it gets too. Those have no states here: they are known already. */
  readonly replacedId?: string | null;
}

export function runFilePath(folder: string, runId: string): string {
  return join(folder, runId);
}

/** Resolves when both are on disk: under their own names for a new run, and beside them for one that is joined. */
export async function writeRunFiles(folder: string, runId: string, content: RunFilesContent): Promise<void> {
  // somebody may have removed the directory
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = runFilePath(folder, runId);
  const replaced = content.replacedId == null ? [] : readRunFile(folder, content.replacedId);
  const former = content.joins ? splitPaths(readFileSync(path)) : replaced;
  const paths = new Set([...former, ...content.paths]);
  const bytes = Buffer.from([...paths].map((each) => `${each}\0`).join(""), "latin1");
  await Promise.all([
    writeDurably(`${path}${knownSuffix}${newSuffix}`, content.known),
    writeDurably(`${path}${newSuffix}`, bytes),
  ]);
  if (content.joins) return;
  renameNew(folder, runId);
  syncFolder(folder);
}

/** Gives a waiting run the files that were written beside its own. */
export function renameNew(folder: string, runId: string): void {
  const path = runFilePath(folder, runId);
  renameSync(`${path}${knownSuffix}${newSuffix}`, `${path}${knownSuffix}`);
  renameSync(`${path}${newSuffix}`, path);
}

/** The states are known now. */
export function removeKnown(folder: string, runId: string): void {
  rmSync(knownPathOf(folder, runId), { force: true });
}

/** Removes the files that were written beside those of a waiting run. */
export function discardNew(folder: string, runId: string): void {
  const path = runFilePath(folder, runId);
  rmSync(`${path}${newSuffix}`, { force: true });
  rmSync(`${path}${knownSuffix}${newSuffix}`, { force: true });
}

/** The states go first: they count only beside the paths. */
export function removeRunFiles(folder: string, runId: string): void {
  discardNew(folder, runId);
  removeKnown(folder, runId);
  rmSync(runFilePath(folder, runId), { force: true });
}

export function readRunFile(folder: string, runId: string): readonly Bytes[] {
  try {
    return splitPaths(readFileSync(runFilePath(folder, runId)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

export function knownPathOf(folder: string, runId: string): string {
  return `${runFilePath(folder, runId)}${knownSuffix}`;
}

/** The runs that have files here. */
export function listRunFiles(folder: string): readonly string[] {
  return [...new Set(listNames(folder).map((name) => name.split(".", 1)[0]!))];
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function splitPaths(bytes: Buffer): readonly Bytes[] {
  return bytes.toString("latin1").split("\0").slice(0, -1);
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  await using file = await open(path, "w", 0o600);
  await file.writeFile(bytes);
  await file.sync();
}
