import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { RunnerIdentity } from "../../../runner/identity.ts";
import { runnersFolder } from "../../../runner/places.ts";

/** Reads the identities of all runners of a data directory, alive or not. */
export async function readIdentities(dataDir: string): Promise<readonly RunnerIdentity[]> {
  const found: RunnerIdentity[] = [];
  for (const name of readdirSync(runnersFolder(dataDir)).filter((file) => file.endsWith(".json"))) {
    try {
      found.push(JSON.parse(await readFile(`${runnersFolder(dataDir)}/${name}`, "utf8")) as RunnerIdentity);
    } catch {
      // the runner has just removed its file, or a power failure damaged the file and ended the runner too
    }
  }
  return found;
}
