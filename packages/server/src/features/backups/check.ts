import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "../../kernel/errors/errors.ts";
import { systemClock } from "../../kernel/time/clock.ts";
import { createSealing } from "../../kernel/secrets/secrets.ts";
import { readKeyFingerprint, requireSoundDatabase } from "../../kernel/storage/restored-database.ts";
import { databaseName, type Description } from "./description.ts";
import { openKey } from "./sealed-key.ts";
import { unpack, type Unpacked } from "./unpack.ts";

/** What a backup contains, for people. */
export interface BackupSummary {
  readonly created_at: string;
  readonly version: string;
  readonly installation_id: string;
  readonly files: number;
  readonly bytes: number;
  readonly with_output: boolean;
  readonly sealed: boolean;
  /** False if the passphrase was not given, so that the key could not be compared with the database. */
  readonly key_checked: boolean;
}

export interface CheckRequest {
  readonly file: string;
  readonly passphrase: string | null;
  /** Ends the check, which then leaves nothing. */
  readonly signal?: AbortSignal | undefined;
}

const folderForm = /^belfry-check-(\d+)-\w+$/;
/** How old an abandoned folder must be: the number of its process may be one of another container. */
const abandonedAfterMs = 3_600_000;

/** Reads a whole backup, its database included; throws a `StartError` if it could not be restored. */
export async function checkBackup({ file, passphrase, signal }: CheckRequest): Promise<BackupSummary> {
  await removeAbandoned();
  const folder = await mkdtemp(join(tmpdir(), `belfry-check-${process.pid}-`));
  try {
    const unpacked = await unpack(file, folder, { withOutput: false, signal });
    const database = join(folder, databaseName);
    await requireSoundDatabase(database, signal);
    const isSealed = unpacked.description.key_sealing !== null;
    const key = isSealed && passphrase === null ? null : await keyOf(unpacked, passphrase);
    if (key !== null) requireKeyOf(database, key);
    return { ...summaryOf(unpacked), key_checked: key !== null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of checks of this user that were killed: each contains a whole database. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = folderForm.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => null);
    if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) continue;
    if (systemClock.now() - found.mtimeMs > abandonedAfterMs)
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function summaryOf({ description, files, bytes }: Unpacked): Omit<BackupSummary, "key_checked"> {
  const { created_at, version, installation_id, with_output, key_sealing }: Description = description;
  return { created_at, version, installation_id, files, bytes, with_output, sealed: key_sealing !== null };
}

export async function keyOf({ key, description }: Unpacked, passphrase: string | null): Promise<Buffer> {
  const { key_sealing: sealing } = description;
  if (sealing === null) {
    if (passphrase === null) return key;
    throw new StartError("this backup is not sealed by a passphrase: leave out --passphrase-file");
  }
  if (passphrase === null)
    throw new StartError("the sealing key in this backup is encrypted: give the passphrase with --passphrase-file");
  const opened = await openKey(key, sealing, passphrase);
  if (opened === null) throw new StartError("the passphrase is wrong: it does not open the sealing key of this backup");
  return opened;
}

/** Requires the key that sealed the secrets of the database. */
export function requireKeyOf(database: string, key: Buffer): void {
  if (readKeyFingerprint(database) !== createSealing(key).fingerprint)
    throw new StartError("the sealing key of this backup does not belong to its database: use another backup");
}
