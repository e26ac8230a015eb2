import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { RunnerIdentity } from "../identity.ts";
import { claimFolder, keptFolder, runnerPlaces } from "../places.ts";
import { errorCode, isMissing } from "../system-error.ts";
import type { ClaimHead } from "./claim.ts";
import { ClaimFile, writeHead } from "./claim-file.ts";
import { moveToKept } from "./forget-claim.ts";

/** A folder with a claim file of this many bytes, for the next attempt. */
interface Spare {
  readonly folder: string;
  readonly size: number;
}

const sparesMax = 64;

/**
 * Makes and removes the claims of one runner. The folder of a claim is used again by a later attempt: ext4 passes over
 * every inode that was deleted in the last minutes, so creating and deleting a folder and its file takes ten times as
 * long under load.
 */
export class Claims {
  readonly #dataDir: string;
  readonly #runner: RunnerIdentity;
  readonly #spares: Spare[] = [];
  #made = 0;

  constructor(dataDir: string, runner: RunnerIdentity) {
    this.#dataDir = dataDir;
    this.#runner = runner;
  }

  /**
   * Claims an attempt; null if it is claimed already. The folder is filled under another name and then renamed, so that
   * a claim never lacks its owner, whenever the runner dies. The calls are synchronous: each takes less time than a trip
   * through the thread pool.
   */
  make(attempt: string, head: Omit<ClaimHead, "runner">): ClaimFile | null {
    const folder = claimFolder(this.#dataDir, attempt);
    // the system would replace an empty folder
    if (existsSync(folder)) return null;
    const { fd, ...spare } = this.#openSpare();
    using undo = new DisposableStack();
    undo.defer(() => removeIfPossible(spare.folder));
    undo.defer(() => closeSync(fd));
    const size = writeHead(fd, attempt, { head: { runner: this.#runner, ...head }, size: spare.size });
    if (!renameToNew(spare.folder, folder)) return null;
    undo.move();
    return new ClaimFile(folder, fd, size);
  }

  /**
   * Removes the claim of an order that is returned before anything ran. The rename removes it, and needs no free file: the
   * order may be returned because there is none.
   */
  drop(claim: ClaimFile): void {
    claim.close();
    // both folders may have been removed meanwhile
    if (!existsSync(claim.folder)) return;
    const name = this.#nextName();
    mkdirSync(dirname(name), { recursive: true, mode: 0o700 });
    renameSync(claim.folder, name);
    if (this.#spares.length < sparesMax) this.#spares.push({ folder: name, size: claim.size });
    else removeIfPossible(name);
  }

  /** Removes the claim of an attempt without output. Rejects if the claim's folder or the runner's own was removed. */
  async forget(claim: ClaimFile): Promise<void> {
    claim.close();
    const name = this.#nextName();
    await rename(claim.folder, name);
    await this.#addSpare(name, claim);
  }

  /**
   * Moves the output of an attempt to its final folder, and removes the claim. If it rejects, the claim's file may
   * still be beside the output.
   */
  async forgetWithOutput(claim: ClaimFile): Promise<void> {
    claim.close();
    const kept = keptFolder(this.#dataDir, basename(claim.folder));
    await moveToKept(claim.folder, kept);
    const name = this.#nextName();
    await mkdir(name, { mode: 0o700 });
    await rename(join(kept, "claim"), join(name, "claim"));
    await this.#addSpare(name, claim);
  }

  async #addSpare(folder: string, { size }: ClaimFile): Promise<void> {
    if (this.#spares.length < sparesMax) this.#spares.push({ folder, size });
    else await rm(folder, { recursive: true, force: true });
  }

  #openSpare(): Spare & { readonly fd: number } {
    for (let spare = this.#spares.pop(); spare !== undefined; spare = this.#spares.pop()) {
      try {
        return { ...spare, fd: openSync(join(spare.folder, "claim"), "r+") };
      } catch (error) {
        // it was removed together with the runner's folder
        if (isMissing(error)) continue;
        this.#spares.push(spare);
        throw error;
      }
    }
    const folder = this.#nextName();
    mkdirSync(folder, { mode: 0o700 });
    try {
      return { folder, size: 0, fd: openSync(join(folder, "claim"), "wx", 0o600) };
    } catch (error) {
      rmdirSync(folder);
      throw error;
    }
  }

  #nextName(): string {
    return join(runnerPlaces(this.#dataDir, this.#runner.id).pipes, `claim-${this.#made++}`);
  }
}

/** Removes a folder among the runner's own. It needs a free file; what stays is removed with the runner's folder. */
function removeIfPossible(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // nothing uses the folder
  }
}

/** Renames a folder; returns false if another folder has the name and is not empty. */
function renameToNew(folder: string, name: string): boolean {
  try {
    renameSync(folder, name);
    return true;
  } catch (error) {
    if (["EEXIST", "ENOTEMPTY"].includes(errorCode(error))) return false;
    throw error;
  }
}
