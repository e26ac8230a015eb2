import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isRunnerAlive, readClaim } from "../../runner/claim.ts";
import { forgetClaim } from "../../runner/claim-file.ts";
import { claimFolder, keptFolder, liveFolder } from "../../runner/places.ts";
import type { RunStore } from "../runs/index.ts";

/** Removes the kept output of runs that are gone. What a crash leaves behind, the sweep finds. */
export async function removeKept(dataDir: string, attemptIds: readonly string[]): Promise<void> {
  await Promise.all(attemptIds.map((id) => rm(keptFolder(dataDir, id), { recursive: true, force: true })));
}

/** Looks through the kept folders, one at a time, for attempts that no run has any more. */
export async function sweepKept(dataDir: string, store: RunStore): Promise<number> {
  await forgetAbandoned(dataDir, store);
  const top = join(dataDir, "attempts", "kept");
  let removed = 0;
  for (const spread of await readdir(top).catch(() => [])) {
    const attemptIds = await readdir(join(top, spread)).catch(() => []);
    const known = store.listKnownAttempts(attemptIds);
    const strays = attemptIds.filter((id) => !known.has(id));
    await removeKept(dataDir, strays);
    removed += strays.length;
  }
  return removed;
}

/** Claims that nobody is left to forget: the end was recorded, and then daemon and runner died. */
async function forgetAbandoned(dataDir: string, store: RunStore): Promise<void> {
  for (const attemptId of await readdir(liveFolder(dataDir)).catch(() => [])) {
    if (store.findByAttempt(attemptId) !== undefined) continue;
    const claim = await readClaim(claimFolder(dataDir, attemptId));
    if (claim === null || !isRunnerAlive(claim)) await forgetClaim(dataDir, attemptId);
  }
}
