import type { Database as Sqlite } from "better-sqlite3";
import { createHash } from "node:crypto";

const originKey = "machine";
/** Written by a restore: no machine has this id. */
const restored = "restored";

/** How the data came here: by a restore, or with its directory from another machine. Null: it was here before. */
export type Arrival = "restored" | "moved" | null;

/**
 * Compares the machine that wrote the database last with this one. A machine without an id is never another one. The
 * database has only a hash of the id, which is confidential.
 */
export function findArrival(sqlite: Sqlite, machineId: string | null): Arrival {
  const known = sqlite.prepare("SELECT value FROM meta WHERE key = ?").pluck().get(originKey);
  if (known === restored) return "restored";
  if (known === undefined || machineId === null) return null;
  return known === hashOf(machineId) ? null : "moved";
}

/** Notes this machine as the one of the database. If it has no id, the former one stays, unless it was a restore. */
export function noteMachine(sqlite: Sqlite, machineId: string | null): void {
  if (machineId !== null) write(sqlite, hashOf(machineId));
  else sqlite.prepare("DELETE FROM meta WHERE key = ? AND value = ?").run(originKey, restored);
}

export function isMarkedRestored(sqlite: Sqlite): boolean {
  return sqlite.prepare("SELECT value FROM meta WHERE key = ?").pluck().get(originKey) === restored;
}

export function noteRestored(sqlite: Sqlite): void {
  write(sqlite, restored);
}

function write(sqlite: Sqlite, value: string): void {
  const known = sqlite.prepare("SELECT value FROM meta WHERE key = ?").pluck().get(originKey);
  if (known !== value) sqlite.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(originKey, value);
}

function hashOf(machineId: string): string {
  return createHash("sha256").update(`belfry machine\0${machineId}`).digest("hex").slice(0, 32);
}
