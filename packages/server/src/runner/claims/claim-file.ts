import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, write, writeSync } from "node:fs";
import { appendFile, mkdir, rename, rmdir, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { formatChecked } from "./checked-json.ts";
import type { ClaimHead, ClaimNote } from "./claim.ts";
import type { AttemptEnd } from "../protocol/messages.ts";
import { claimFolder, keptFolder, runnerPlaces } from "../places.ts";
import { errorCode, isMissing } from "../system-error.ts";

const writeTo = promisify(write);

/** A claim of this runner. The file stays open for the first note, which follows soon. */
export class ClaimFile {
  readonly #path: string;
  #fd: number | null;

  constructor(path: string, fd: number) {
    this.#path = path;
    this.#fd = fd;
  }

  /** Adds a note. One call at a time. */
  async add(note: ClaimNote): Promise<void> {
    const line = Buffer.from(`${formatChecked(note)}\n`);
    await (this.#fd === null ? appendFile(this.#path, line) : writeTo(this.#fd, line));
    this.close();
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}

/**
 * Claims an attempt; null if it is claimed already. The folder is filled under another name and then renamed, so that a
 * claim never lacks its owner, whenever the runner dies. The calls are synchronous: each takes less time than a trip through
 * the thread pool.
 */
export function makeClaim(dataDir: string, attempt: string, head: ClaimHead): ClaimFile | null {
  const unnamed = join(runnerPlaces(dataDir, head.runner.id).pipes, `claim-${attempt}`);
  const folder = claimFolder(dataDir, attempt);
  using undo = new DisposableStack();
  undo.defer(() => rmSync(unnamed, { recursive: true, force: true }));
  mkdirSync(unnamed, { mode: 0o700 });
  const fd = openSync(join(unnamed, "claim"), "ax", 0o600);
  undo.defer(() => closeSync(fd));
  writeSync(fd, `${formatChecked(head)}\n`);
  if (!renameToNew(unnamed, folder)) return null;
  undo.move();
  return new ClaimFile(join(folder, "claim"), fd);
}

/** Removes a claim: for an order that is returned before anything ran. */
export function dropClaim(dataDir: string, attempt: string, runner: string): void {
  const unnamed = join(runnerPlaces(dataDir, runner).pipes, `claim-${attempt}`);
  // both folders may have been removed meanwhile
  if (existsSync(claimFolder(dataDir, attempt))) {
    mkdirSync(dirname(unnamed), { recursive: true, mode: 0o700 });
    renameSync(claimFolder(dataDir, attempt), unnamed);
  }
  rmSync(unnamed, { recursive: true, force: true });
}

export async function writeEnd(dataDir: string, attempt: string, end: AttemptEnd): Promise<void> {
  const path = join(claimFolder(dataDir, attempt), "end");
  await writeFile(`${path}.tmp`, formatChecked(end), { mode: 0o600, flush: true });
  await rename(`${path}.tmp`, path);
}

/**
 * Removes the claim, and moves the kept output to its final folder, once the daemon has recorded the end. May be
 * repeated.
 */
export async function forgetClaim(dataDir: string, attempt: string): Promise<void> {
  const kept = keptFolder(dataDir, attempt);
  await moveAway(claimFolder(dataDir, attempt), kept);
  await Promise.all(["claim", "end"].map((name) => ignoreMissing(unlink(join(kept, name)))));
  // fails if there is kept output
  await rmdir(kept).catch(() => {});
}

async function moveAway(claim: string, kept: string): Promise<void> {
  try {
    await rename(claim, kept);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
    await ignoreMissing(rename(claim, kept));
  }
}

/**
 * Renames a folder; returns false if the name exists. The check comes first, because the system would replace an empty
 * folder.
 */
function renameToNew(folder: string, name: string): boolean {
  if (existsSync(name)) return false;
  try {
    renameSync(folder, name);
    return true;
  } catch (error) {
    if (["EEXIST", "ENOTEMPTY"].includes(errorCode(error))) return false;
    throw error;
  }
}

async function ignoreMissing<TResult>(work: Promise<TResult>): Promise<TResult | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
