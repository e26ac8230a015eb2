import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartError } from "../../kernel/errors/errors.ts";
import { asFileStartError } from "../../kernel/errors/start-error.ts";
import { takeLock } from "../../kernel/files/lock-file.ts";
import { makePrivate, type Paths } from "../../kernel/files/paths.ts";
import { syncFolder } from "../../kernel/files/sync-folder.ts";
import { writeSealingKey } from "../../kernel/secrets/secrets.ts";
import { markRestored, requireSoundDatabase, requireWholeFile } from "../../kernel/storage/restored-database.ts";
import { type BackupSummary, keyOf, requireKeyOf, summaryOf } from "./check.ts";
import { databaseName, keyName } from "./description.ts";
import { unpack } from "./unpack.ts";

export interface RestoreRequest {
  readonly file: string;
  readonly passphrase: string | null;
  /** Ends the restore, which then leaves an empty directory. */
  readonly signal?: AbortSignal | undefined;
  readonly paths: Pick<Paths, "dataDir" | "lock" | "database" | "sealingKey" | "attempts" | "restoring">;
}

/** What an empty data directory may contain. */
const harmless = new Set(["config.toml", "lock", "lost+found"]);

/**
 * Restores a backup into an empty data directory, whose next daemon holds everything. The folder `restoring` exists
 * until the end: no daemon starts beside it, and another restore replaces what an interrupted one left.
 */
export async function restoreBackup({ file, passphrase, signal, paths }: RestoreRequest): Promise<BackupSummary> {
  const { dataDir, restoring } = paths;
  if (existsSync(dataDir)) requireEmpty(dataDir, restoring);
  makePrivate(dataDir);
  const lock = takeLock(paths.lock);
  try {
    removeLeftovers(paths);
    await mkdir(restoring, { mode: 0o700 });
    // the mark of an interrupted restore is on disk before anything is moved
    syncFolder(dataDir);
    let isMoved = false;
    try {
      const unpacked = await unpack(file, restoring, { withOutput: true, signal });
      const database = join(restoring, databaseName);
      await requireSoundDatabase(database, signal);
      const key = await keyOf(unpacked, passphrase);
      requireKeyOf(database, key);
      markRestored(database);
      writeSealingKey(join(restoring, keyName), key);
      requireWholeFile(database);
      isMoved = true;
      moveIntoPlace(paths);
      return { ...summaryOf(unpacked), key_checked: true };
    } finally {
      // a failed restore leaves an empty directory; an interrupted move leaves its mark
      if (!isMoved) rmSync(restoring, { recursive: true, force: true });
    }
  } finally {
    lock.release();
  }
}

function requireEmpty(dataDir: string, restoring: string): void {
  if (existsSync(restoring)) return;
  const found = list(dataDir).find((name) => !harmless.has(name));
  if (found !== undefined)
    throw new StartError(
      `the data directory ${dataDir} is not empty (it contains ${found}): restore into an empty directory, or move this one away first`,
    );
}

function list(dataDir: string): readonly string[] {
  try {
    return readdirSync(dataDir);
  } catch (error) {
    throw asFileStartError(error, dataDir);
  }
}

function removeLeftovers({ restoring, database, sealingKey, attempts }: RestoreRequest["paths"]): void {
  if (!existsSync(restoring)) return;
  for (const path of [database, `${database}-wal`, `${database}-shm`, sealingKey, attempts, restoring])
    rmSync(path, { recursive: true, force: true });
}

function moveIntoPlace({ dataDir, restoring, attempts, sealingKey, database }: RestoreRequest["paths"]): void {
  syncTree(restoring);
  const kept = join(restoring, "attempts");
  if (existsSync(kept)) renameSync(kept, attempts);
  renameSync(join(restoring, keyName), sealingKey);
  renameSync(join(restoring, databaseName), database);
  syncFolder(dataDir);
  rmSync(restoring, { recursive: true, force: true });
  syncFolder(dataDir);
  syncFolder(dirname(dataDir));
}

/** Returns when all names below the folder are on disk. The files are there already. */
function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isDirectory()) syncFolder(join(entry.parentPath, entry.name));
  syncFolder(folder);
}
