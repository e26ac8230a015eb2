import { mkdir, readFile, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { BackupCreate } from "@belfry/contract";
import { isDiskFull } from "../../kernel/errors/command-error.ts";
import { AppError } from "../../kernel/errors/errors.ts";
import type { Paths } from "../../kernel/files/paths.ts";
import { newId } from "../../kernel/ids.ts";
import { copyDatabase } from "../../kernel/storage/copy-database.ts";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import type { Description } from "./description.ts";
import { sealKey } from "./sealed-key.ts";

export interface CopyDeps {
  readonly paths: Pick<Paths, "database" | "sealingKey" | "backup">;
  readonly version: string;
  readonly identity: () => string;
}

/** What a backup is made from. */
export interface DataCopy {
  readonly description: Description;
  /** Sealed, if the description says so. */
  readonly key: Buffer;
  /** The path of the copy of the database. */
  readonly database: string;
  readonly remove: () => Promise<void>;
}

interface CopyCall {
  readonly now: Instant;
  readonly signal: AbortSignal;
}

/** Copies the database and seals the key. Throws an error for the caller if there is no space, or nothing to restore. */
export async function copyData(
  { paths, version, identity }: CopyDeps,
  { passphrase, output }: BackupCreate,
  { now, signal }: CopyCall,
): Promise<DataCopy> {
  signal.throwIfAborted();
  const database = join(paths.backup, newId("req"));
  const remove = async (): Promise<void> => {
    for (const end of ["", "-journal", "-wal", "-shm"]) await rm(`${database}${end}`, { force: true });
  };
  try {
    const key = await readFile(paths.sealingKey);
    const sealed = passphrase === null ? null : await sealKey(key, passphrase);
    await mkdir(paths.backup, { recursive: true, mode: 0o700 });
    await requireSpace(paths);
    const problem = await copyDatabase({ from: paths.database, to: database }, signal);
    if (problem !== null)
      throw new AppError(
        "conflict",
        `the database is damaged (${problem}), so a backup of it could not be restored: run \`belfry doctor --database\` to list the damage`,
      );
    const description: Description = {
      format: 1,
      version,
      created_at: formatInstant(now),
      installation_id: identity(),
      with_output: output,
      key_sealing: sealed?.sealing ?? null,
    };
    return { description, key: sealed?.sealed ?? key, database, remove };
  } catch (error) {
    await remove();
    throw isDiskFull(error)
      ? new AppError(
          "conflict",
          "the disk of the data directory is full: a backup needs space for a copy of the database",
          { cause: error },
        )
      : error;
  }
}

/** What stays free beside a copy: meanwhile, the daemon records runs and output, and its write-ahead log cannot shrink. */
const reserveBytesMin = 16_000_000;
const reservePart = 0.1;

async function requireSpace({ database, backup }: CopyDeps["paths"]): Promise<void> {
  const sizes = await Promise.all([database, `${database}-wal`].map((path) => stat(path).catch(() => null)));
  const copied = sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
  const needed = copied + Math.max(reserveBytesMin, copied * reservePart);
  const { bavail, bsize } = await statfs(backup);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new AppError(
    "conflict",
    `the disk of the data directory has only ${inMegabytes(free)} of free space, but a backup needs ${inMegabytes(needed)}, for a copy of the database and for what the daemon records meanwhile: free some space`,
  );
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
