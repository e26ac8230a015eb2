import type { OpenDatabase } from "../storage/database.ts";
import { StartError } from "../errors/errors.ts";
import type { Sealing } from "./secrets.ts";

const keyName = "sealing_key";

/** Whether a key has encrypted anything here: a first start may have been interrupted before the key was created. */
export function isKeyKnown({ sqlite }: OpenDatabase): boolean {
  return readFingerprint(sqlite) !== undefined;
}

/** Requires the key that sealed this database's secrets: another key could open none of them. */
export function requireSameKey({ sqlite }: OpenDatabase, sealing: Sealing): void {
  const known = readFingerprint(sqlite);
  if (known === undefined) {
    sqlite.prepare("INSERT INTO meta (key, value) VALUES (?, ?)").run(keyName, sealing.fingerprint);
    return;
  }
  if (known !== sealing.fingerprint)
    throw new StartError("sealing.key does not belong to this database: restore both from the same backup");
}

function readFingerprint(sqlite: OpenDatabase["sqlite"]): string | undefined {
  return sqlite.prepare("SELECT value FROM meta WHERE key = ?").pluck().get(keyName) as string | undefined;
}
