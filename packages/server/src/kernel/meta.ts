import type { OpenDatabase } from "./database.ts";
import { StartError } from "./errors.ts";
import type { Sealing } from "./secrets.ts";

const keyName = "sealing_key";

/** The key that sealed this database's secrets must be the one at hand: with another, none of them could ever be opened. */
export function requireSameKey({ sqlite }: OpenDatabase, sealing: Sealing): void {
  const known = sqlite.prepare("SELECT value FROM meta WHERE key = ?").pluck().get(keyName) as string | undefined;
  if (known === undefined) {
    sqlite.prepare("INSERT INTO meta (key, value) VALUES (?, ?)").run(keyName, sealing.fingerprint);
    return;
  }
  if (known !== sealing.fingerprint) throw new StartError("sealing.key is not the key of this database: put both back from the same backup");
}
