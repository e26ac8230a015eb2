import {
  access,
  appendFile,
  type FileHandle,
  mkdir,
  open,
  rename,
  rm,
  rmdir,
  unlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ClaimHead, ClaimNote } from "./claim.ts";
import type { AttemptEnd } from "./messages.ts";
import { claimFolder, keptFolder, runnerPlaces } from "./places.ts";
import { errorCode, isMissing } from "./system-error.ts";

/** A claim of this runner's, to be added to. It is kept open for its first note, which follows within moments. */
export class ClaimFile {
  readonly #path: string;
  #file: FileHandle | null;

  constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** One call at a time. */
  async add(note: ClaimNote): Promise<void> {
    const line = `${JSON.stringify(note)}\n`;
    await (this.#file?.write(line) ?? appendFile(this.#path, line));
    await this.close();
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }
}

/**
 * Claims an attempt; null when it is claimed already. The folder is filled under another name and then renamed, so that a
 * claim never lacks its owner, whenever its maker dies.
 */
export async function makeClaim(dataDir: string, attempt: string, head: ClaimHead): Promise<ClaimFile | null> {
  const unnamed = join(runnerPlaces(dataDir, head.runner.id).pipes, `claim-${attempt}`);
  const folder = claimFolder(dataDir, attempt);
  let file: FileHandle | null = null;
  try {
    await mkdir(unnamed, { mode: 0o700 });
    file = await open(join(unnamed, "claim"), "ax", 0o600);
    await file.write(`${JSON.stringify(head)}\n`);
    if (await renameToNew(unnamed, folder)) return new ClaimFile(join(folder, "claim"), file);
  } catch (error) {
    await discard(unnamed, file);
    throw error;
  }
  await discard(unnamed, file);
  return null;
}

/** Takes a claim back as if it had never been made: for an order that is returned before anything ran. */
export async function dropClaim(dataDir: string, attempt: string, runner: string): Promise<void> {
  const unnamed = join(runnerPlaces(dataDir, runner).pipes, `claim-${attempt}`);
  await rename(claimFolder(dataDir, attempt), unnamed);
  await discard(unnamed, null);
}

export async function writeEnd(dataDir: string, attempt: string, end: AttemptEnd): Promise<void> {
  const path = join(claimFolder(dataDir, attempt), "end");
  await writeFile(`${path}.tmp`, JSON.stringify(end), { mode: 0o600, flush: true });
  await rename(`${path}.tmp`, path);
}

/** The daemon knows the end: the claim goes, and what was kept of the output moves to where it stays. May be repeated. */
export async function forgetClaim(dataDir: string, attempt: string): Promise<void> {
  const kept = keptFolder(dataDir, attempt);
  await moveAway(claimFolder(dataDir, attempt), kept);
  await Promise.all(["claim", "end"].map((name) => ignoreMissing(unlink(join(kept, name)))));
  // without any output nothing is left to keep
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

/** False when the name is taken. The system itself refuses all but an empty folder there, which is looked for first. */
async function renameToNew(folder: string, name: string): Promise<boolean> {
  if (await ignoreMissing(access(name).then(() => true))) return false;
  try {
    await rename(folder, name);
    return true;
  } catch (error) {
    if (["EEXIST", "ENOTEMPTY"].includes(errorCode(error))) return false;
    throw error;
  }
}

async function discard(folder: string, file: FileHandle | null): Promise<void> {
  await file?.close();
  await rm(folder, { recursive: true, force: true });
}

async function ignoreMissing<TResult>(work: Promise<TResult>): Promise<TResult | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
