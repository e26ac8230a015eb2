import { examineClaim } from "../../runner/claims/claim.ts";
import { isAlive } from "../../runner/identity.ts";
import { claimFolder, runnerPlaces } from "../../runner/places.ts";
import type { RunStore } from "../runs/index.ts";
import { readIdentities } from "./runners/read-identities.ts";
import { isServing } from "./runners/runner-connection.ts";

/**
 * Lists the attempts whose runner is alive and serves this very directory: they run here, wherever the data came from.
 * A claim that cannot be read, or is not written yet, may be of any such runner.
 */
export async function listAttemptsHere(
  dataDir: string,
  store: Pick<RunStore, "listLive">,
): Promise<ReadonlySet<string>> {
  const runners = new Set<string>();
  for (const identity of await readIdentities(dataDir))
    if (isAlive(identity) && (await isServing(runnerPlaces(dataDir, identity.id).socket))) runners.add(identity.id);
  const here = new Set<string>();
  if (runners.size === 0) return here;
  for (const { attemptId } of store.listLive()) {
    if (attemptId === null) continue;
    const found = await examineClaim(claimFolder(dataDir, attemptId));
    if (found.is !== "read" || runners.has(found.claim.runner.id)) here.add(attemptId);
  }
  return here;
}
