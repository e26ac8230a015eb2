import { mkdir, rename, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { claimFolder, keptFolder } from "../places.ts";
import { isMissing } from "../system-error.ts";

/**
 * Removes the claim, and moves the kept output to its final folder, once the daemon has recorded the end. May be
 * repeated.
 */
export async function forgetClaim(dataDir: string, attempt: string): Promise<void> {
  const kept = keptFolder(dataDir, attempt);
  await moveToKept(claimFolder(dataDir, attempt), kept);
  // former versions wrote the end to a file of its own
  await Promise.all(["claim", "end"].map((name) => ignoreMissing(unlink(join(kept, name)))));
  // fails if there is kept output
  await rmdir(kept).catch(() => {});
}

/** Moves a claim with its output. Does nothing if it was moved before. */
export async function moveToKept(claim: string, kept: string): Promise<void> {
  try {
    await rename(claim, kept);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(kept), { recursive: true, mode: 0o700 });
    await ignoreMissing(rename(claim, kept));
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
