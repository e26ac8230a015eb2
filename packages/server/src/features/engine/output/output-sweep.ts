import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isRunnerAlive, readClaim } from "../../../runner/claims/claim.ts";
import { forgetClaim } from "../../../runner/claims/forget-claim.ts";
import { claimFolder, keptFolder, liveFolder } from "../../../runner/places.ts";
import type { RunStore } from "../../runs/index.ts";

/** Removes the kept output of deleted runs. If a crash prevents this, the sweep does it later. */
export async function removeKept(dataDir: string, attemptIds: readonly string[]): Promise<void> {
  await Promise.all(attemptIds.map((id) => rm(keptFolder(dataDir, id), { recursive: true, force: true })));
}

export interface SweepOptions {
  readonly dataDir: string;
  readonly store: RunStore;
  /** Whether a runner may still start the attempt, and must find its claim. */
  readonly mayStart: (attemptId: string) => boolean;
  /** Ends the sweep early. */
  readonly stopping: AbortSignal;
}

/**
 * Removes the kept folders of attempts whose run was deleted, and returns their number. A folder that fails does not
 * stop the others; it is reported at the end.
 */
export async function sweepKept({ dataDir, store, mayStart, stopping }: SweepOptions): Promise<number> {
  const failures: unknown[] = [];
  const each = async (names: readonly string[], work: (name: string) => Promise<void>): Promise<void> => {
    for (const name of names) {
      if (stopping.aborted) return;
      await work(name).catch((error: unknown) => failures.push(error));
    }
  };
  let removed = 0;
  await each(await foldersIn(liveFolder(dataDir)), async (attemptId) => {
    if (!mayStart(attemptId)) await forgetAbandoned({ dataDir, store }, attemptId);
  });
  const top = join(dataDir, "attempts", "kept");
  await each(await foldersIn(top), async (spread) => {
    const attemptIds = await foldersIn(join(top, spread));
    const known = store.listKnownAttempts(attemptIds);
    const strays = attemptIds.filter((id) => !known.has(id));
    await removeKept(dataDir, strays);
    removed += strays.length;
  });
  if (failures.length > 0) {
    throw new Error(`${failures.length} of the attempts' folders could not be checked`, { cause: failures[0] });
  }
  return removed;
}

/** Forgets a claim whose end is recorded and whose runner has died. */
export async function forgetAbandoned(
  { dataDir, store }: Pick<SweepOptions, "dataDir" | "store">,
  attemptId: string,
): Promise<void> {
  if (store.findByAttempt(attemptId) !== undefined) return;
  const claim = await readClaim(claimFolder(dataDir, attemptId));
  if (claim === null || !isRunnerAlive(claim)) await forgetClaim(dataDir, attemptId);
}

/** Lists the folders in a path. Ignores files, because desktop programs leave some there. */
async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
