import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "../../kernel/errors/errors.ts";
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

/** Reads a whole backup, its database included; throws a `StartError` if it could not be restored. */
export async function checkBackup(file: string, passphrase: string | null): Promise<BackupSummary> {
  const folder = await mkdtemp(join(tmpdir(), "belfry-check-"));
  try {
    const unpacked = await unpack(file, folder, { withOutput: false });
    const database = join(folder, databaseName);
    requireSoundDatabase(database);
    const isSealed = unpacked.description.key_sealing !== null;
    const key = isSealed && passphrase === null ? null : await keyOf(unpacked, passphrase);
    if (key !== null) requireKeyOf(database, key);
    return { ...summaryOf(unpacked), key_checked: key !== null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function summaryOf({ description, files, bytes }: Unpacked): Omit<BackupSummary, "key_checked"> {
  const { created_at, version, installation_id, with_output, key_sealing }: Description = description;
  return { created_at, version, installation_id, files, bytes, with_output, sealed: key_sealing !== null };
}

export async function keyOf({ key, description }: Unpacked, passphrase: string | null): Promise<Buffer> {
  const { key_sealing: sealing } = description;
  if (sealing === null) return key;
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
