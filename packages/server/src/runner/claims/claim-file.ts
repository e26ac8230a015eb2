import { closeSync, openSync, write, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { formatChecked } from "./checked-json.ts";
import type { ClaimHead, ClaimNote } from "./claim.ts";

const writeTo = promisify(write);

/** The number of bytes in a claim's file, and how many of them its lines use. */
interface ClaimSize {
  readonly used: number;
  readonly size: number;
}

/**
 * A claim of this runner. Its file may have been the claim of an earlier attempt, and then holds blanks after the
 * newest line. The file stays open for the first line, which follows soon.
 */
export class ClaimFile {
  readonly folder: string;
  #fd: number | null;
  #used: number;
  #size: number;

  constructor(folder: string, fd: number, { used, size }: ClaimSize) {
    this.folder = folder;
    this.#fd = fd;
    this.#used = used;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Adds a note, synchronously: only before another is added by `add`. This takes less time than a trip through the
   * thread pool.
   */
  addNow(note: ClaimNote): void {
    const line = lineOf(basename(this.folder), note);
    try {
      requireWhole(writeSync(this.#open(), line, 0, line.length, this.#used), line);
      this.#count(line);
    } finally {
      // the process is noted right after its cgroup
      if (!("cgroup" in note)) this.close();
    }
  }

  /** Adds a note. One call at a time. A note that failed is overwritten by the next. */
  async add(note: ClaimNote): Promise<void> {
    const line = lineOf(basename(this.folder), note);
    try {
      const { bytesWritten } = await writeTo(this.#open(), line, 0, line.length, this.#used);
      requireWhole(bytesWritten, line);
      this.#count(line);
    } finally {
      this.close();
    }
  }

  /** Flushes the file to the disk. */
  async flush(): Promise<void> {
    await using file = await open(join(this.folder, "claim"), "r+");
    await file.datasync();
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #open(): number {
    // without O_CREAT: a claim that is gone must not become one without an owner
    this.#fd ??= openSync(join(this.folder, "claim"), "r+");
    return this.#fd;
  }

  #count(line: Uint8Array): void {
    this.#used += line.length;
    this.#size = Math.max(this.#size, this.#used);
  }
}

/** Writes the first line of a claim, and blanks over whatever else a file of this size holds. */
export function writeHead(
  fd: number,
  attempt: string,
  { head, size }: { readonly head: ClaimHead; readonly size: number },
): ClaimSize {
  const line = lineOf(attempt, head);
  const bytes = Buffer.concat([line, Buffer.alloc(Math.max(0, size - line.length), " ")]);
  requireWhole(writeSync(fd, bytes, 0, bytes.length, 0), bytes);
  return { used: line.length, size: bytes.length };
}

function lineOf(attempt: string, value: ClaimHead | ClaimNote): Buffer {
  return Buffer.from(`${formatChecked({ attempt, ...value })}\n`);
}

function requireWhole(bytesWritten: number, line: Uint8Array): void {
  if (bytesWritten < line.length) throw new Error("ENOSPC: the disk is full");
}
