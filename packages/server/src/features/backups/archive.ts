import { once } from "node:events";
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
// tar archives can be read anywhere; this library also writes files over 8 GiB, and is used by npm's own tools
import { type Extract, extract, type Pack, pack } from "tar-stream";

/** A file of an archive. */
export interface Part {
  readonly name: string;
  readonly size: number;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Closes the content, also if it was not read. */
  readonly close?: () => Promise<void>;
}

const chunkBytes = 64 * 1024;

/** The entry of one file in the list at the end of an archive. */
export interface ListedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/** The last file of an archive. */
export const listName = "files.json";

const listedAtOnce = 500;

/** The most files of an archive, so that their list can be read. */
const filesMax = 1_000_000;
/** The most bytes between two files: the library reads zeros without end. */
const bytesBetweenMax = 16 * 1024 * 1024;

/** Why an archive cannot be read. The message goes on where "the archive is damaged" ends. */
export class ArchiveError extends Error {}

/** Writes an archive while it is read: the parts, and then their list. */
export function writeArchive(parts: AsyncIterable<Part>): AsyncIterable<Uint8Array> {
  const archive = pack();
  const closing = closingOf(archive);
  const writeAll = async (): Promise<void> => {
    const list: string[] = [];
    const write = async ({ name, size, content, close }: Part): Promise<string> => {
      const hash = createHash("sha256");
      try {
        const entry = archive.entry({ name, size, mode: 0o600 });
        // the archive fails with the same error, and an error that nobody listens to would end the daemon
        entry.on("error", () => {});
        for await (const bytes of content) {
          hash.update(bytes);
          if (!entry.write(bytes)) await once(entry, "drain", { signal: closing });
        }
        entry.end(null);
      } finally {
        await close?.();
      }
      return hash.digest("hex");
    };
    for await (const part of parts) {
      if (list.length >= filesMax) throw new ArchiveError(`it has more than ${filesMax} files`);
      const listed: ListedFile = { name: part.name, size: part.size, sha256: await write(part) };
      list.push(JSON.stringify(listed));
    }
    await write(listPart(list));
    archive.finalize();
  };
  void writeAll().catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))));
  // safe because a packer emits buffers only
  return archive as unknown as AsyncIterable<Uint8Array>;
}

/** Aborted once the stream is closed: nobody reads what waits for it to drain. */
function closingOf(stream: Pack | Extract): AbortSignal {
  const closing = new AbortController();
  stream.once("close", () => closing.abort());
  return closing.signal;
}

/** Why a stream was destroyed; null if it was only closed. */
function failureOf(stream: Extract): Promise<Error | null> {
  return new Promise((resolve) => {
    stream.once("error", resolve);
    stream.once("close", () => resolve(null));
  });
}

export function textPart(name: string, text: string): Part {
  return bytesPart(name, Buffer.from(`${text}\n`));
}

export function bytesPart(name: string, bytes: Uint8Array): Part {
  return { name, size: bytes.length, content: [bytes] };
}

/** The list of all files, which is made in pieces: in one, a long list would hold up the daemon. */
function listPart(list: readonly string[]): Part {
  const [start, end] = ['{"files":[', "]}\n"];
  const commas = Math.max(0, list.length - 1);
  const size = list.reduce((sum, text) => sum + Buffer.byteLength(text), start.length + commas + end.length);
  const content = function* (): Generator<Uint8Array> {
    yield Buffer.from(start);
    for (let at = 0; at < list.length; at += listedAtOnce) {
      const piece = list.slice(at, at + listedAtOnce).join(",");
      yield Buffer.from(at === 0 ? piece : `,${piece}`);
    }
    yield Buffer.from(end);
  };
  return { name: listName, size, content: content() };
}

/** Reads an open file up to this size. */
export async function* readFileInParts(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const length = Math.min(chunkBytes, size - at);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/**
 * Reads the files of an archive in their order. Each must be read, or left out, before the next. Throws an `ArchiveError`
 * if the bytes are no archive, or if it contains anything but regular files.
 */
export async function* readArchive(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  const archive = extract();
  const closing = closingOf(archive);
  const failed = failureOf(archive);
  let current: unknown = null;
  let between = 0;
  const feed = async (): Promise<void> => {
    for await (const piece of bytes) {
      between = current === null ? between + piece.length : 0;
      if (between > bytesBetweenMax) throw new ArchiveError("it contains many bytes that belong to no file");
      if (!archive.write(piece)) await once(archive, "drain", { signal: closing });
    }
    archive.end(null);
  };
  void feed().catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))));
  // where the archive fails in the middle of a file, the library says only that the file was closed
  const reading = async function* <T>(part: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* part;
    } catch (error) {
      throw (await failed) ?? error;
    }
  };
  let files = 0;
  for await (const entry of reading(archive)) {
    const { name, size, type } = entry.header;
    if (type !== "file") throw new ArchiveError(`${JSON.stringify(name)} in it is not a regular file`);
    if (++files > filesMax + 1) throw new ArchiveError(`it contains more than ${filesMax} files`);
    current = entry;
    // small files may begin and end within a piece
    between = 0;
    entry.once("close", () => void (current === entry && (current = null)));
    yield { name, size, content: reading(entry as unknown as AsyncIterable<Uint8Array>) };
    entry.resume();
  }
}

/** Explains an error of the library, or returns null for another one, such as an error of the disk. */
export function explainArchiveError(error: unknown): string | null {
  if (error instanceof ArchiveError) return error.message;
  if (!(error instanceof Error) || "code" in error) return null;
  return error.message === "Unexpected end of data"
    ? "it ends too early"
    : "it is not a tar archive, or its bytes were changed";
}
