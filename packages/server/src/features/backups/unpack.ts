import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asCommandError } from "../../kernel/errors/command-error.ts";
import { StartError } from "../../kernel/errors/errors.ts";
import { ArchiveError, explainArchiveError, type ListedFile, listName, type Part, readArchive } from "./archive.ts";
import { databaseName, type Description, descriptionName, keyName, outputForm, sealedKeyName } from "./description.ts";
import { readDescription, readFileList } from "./read-texts.ts";

export interface Unpacked {
  readonly description: Description;
  /** As it is in the archive: sealed, or not. */
  readonly key: Buffer;
  readonly files: number;
  readonly bytes: number;
}

export interface UnpackOptions {
  readonly withOutput: boolean;
  readonly signal?: AbortSignal | undefined;
}

const textBytesMax = 64 * 1024;
const listBytesMax = 256 * 1024 * 1024;

/**
 * Unpacks a backup into a folder, and compares every file with the list at its end. Throws a `StartError` if anything is
 * missing, unknown or changed. Output is written only if `withOutput` says so.
 */
export async function unpack(file: string, folder: string, { withOutput, signal }: UnpackOptions): Promise<Unpacked> {
  const seen: ListedFile[] = [];
  const names = new Set<string>();
  let description: Description | null = null;
  let key: Buffer | null = null;
  let listed: readonly ListedFile[] | null = null;
  try {
    for await (const part of readArchive(createReadStream(file, { signal }))) {
      if (listed !== null) throw damaged(file, "it has files after its list");
      if (names.has(part.name)) throw damaged(file, `it contains ${JSON.stringify(part.name)} twice`);
      names.add(part.name);
      if (description === null) {
        if (part.name !== descriptionName) throw notABackup(file);
        description = readDescription(file, (await readText(part, seen)).toString());
      } else if (part.name === listName) {
        listed = readFileList((await readText(part, [])).toString());
        if (listed === null) throw damaged(file, "its list of files cannot be read");
      } else if (part.name === keyName || part.name === sealedKeyName) key = await readText(part, seen);
      else if (part.name === databaseName) await writePart(part, join(folder, databaseName), seen);
      else if (outputForm.test(part.name)) await writePart(part, withOutput ? join(folder, part.name) : null, seen);
      else throw damaged(file, `it contains an unknown file, ${JSON.stringify(part.name)}`);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof StartError) throw error;
    const what = explainArchiveError(error);
    if (what === null) throw cannotRead(file, error);
    throw description === null ? notABackup(file, error) : damaged(file, what, error);
  }
  if (description === null) throw notABackup(file);
  if (listed === null) throw damaged(file, "it is incomplete, because its list is missing");
  const difference = findDifference(listed, seen);
  if (difference !== null) throw damaged(file, `${difference} is missing or differs from its list`);
  if (key === null || !seen.some(({ name }) => name === databaseName))
    throw damaged(file, "the database or the sealing key is missing");
  return { description, key, files: seen.length, bytes: seen.reduce((sum, { size }) => sum + size, 0) };
}

function damaged(file: string, what: string, cause?: unknown): StartError {
  return new StartError(`the backup ${file} is damaged: ${what}. Use another backup`, cause);
}

function notABackup(file: string, cause?: unknown): StartError {
  return new StartError(`${file} is not a Belfry backup: give a file that \`belfry backup create\` has written`, cause);
}

function cannotRead(file: string, error: unknown): StartError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return new StartError(`there is no file ${file}: check its path`, error);
  if (code === "EISDIR") return new StartError(`${file} is a directory: give the file of a backup`, error);
  return asCommandError(error, file);
}

function findDifference(listed: readonly ListedFile[], seen: readonly ListedFile[]): string | null {
  const lineOf = ({ name, size, sha256 }: ListedFile): string => `${name} ${size} ${sha256}`;
  const [left, right] = [new Set(listed.map(lineOf)), new Set(seen.map(lineOf))];
  const odd = [...listed.filter((one) => !right.has(lineOf(one))), ...seen.filter((one) => !left.has(lineOf(one)))][0];
  return odd?.name ?? null;
}

async function readText(part: Part, seen: ListedFile[]): Promise<Buffer> {
  if (part.size > (part.name === listName ? listBytesMax : textBytesMax))
    throw new ArchiveError(`${part.name} in it is too large`);
  const pieces: Uint8Array[] = [];
  for await (const bytes of part.content) pieces.push(bytes);
  const content = Buffer.concat(pieces);
  seen.push({ name: part.name, size: content.length, sha256: createHash("sha256").update(content).digest("hex") });
  return content;
}

/** Writes the part to a new file and to disk, or only reads it if the path is null. */
async function writePart(part: Part, path: string | null, seen: ListedFile[]): Promise<void> {
  const hash = createHash("sha256");
  let size = 0;
  const target = path === null ? null : await blamingTarget(path, () => openNew(path, part.size));
  try {
    for await (const bytes of part.content) {
      hash.update(bytes);
      size += bytes.length;
      if (target !== null) await blamingTarget(path!, () => target.writeFile(bytes));
    }
    if (target !== null) await blamingTarget(path!, () => target.sync());
  } finally {
    await target?.close();
  }
  seen.push({ name: part.name, size, sha256: hash.digest("hex") });
}

async function openNew(path: string, size: number): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize < size)
    throw new StartError(
      `the disk of ${path} has ${bavail * bsize} bytes of free space, but this file of the backup needs ${size}: free some space, or choose another directory (TMPDIR for a check)`,
    );
  return open(path, "wx", 0o600);
}

/** Names the file that is written in the error, not the backup that is read. */
async function blamingTarget<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asCommandError(error, path);
  }
}
