import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { OpenDatabase } from "./database.ts";
import { StartError } from "../errors/errors.ts";
import type { Paths } from "../files/paths.ts";

/** Rejects a directory whose restore was interrupted, and a missing database beside files of an earlier one: a new database would hide the loss. */
export function requireDatabaseFile(paths: Paths): void {
  if (existsSync(paths.restoring))
    throw new StartError(
      `a restore into ${paths.dataDir} was interrupted: run \`belfry backup restore\` again with the same file`,
    );
  if (!existsSync(paths.database)) refuseBesideRest(paths, "is missing");
}

/** Rejects an empty database beside files of an earlier one, for the same reason. */
export function requireContent(paths: Paths, { sqlite }: OpenDatabase): void {
  if (sqlite.pragma("user_version", { simple: true }) === 0) refuseBesideRest(paths, "is empty");
}

/** Finds what an earlier database has left: its key, claims or output. */
export function findRest({ sealingKey, attempts }: Pick<Paths, "sealingKey" | "attempts">): string | undefined {
  return existsSync(sealingKey) ? sealingKey : [join(attempts, "live"), join(attempts, "kept")].find(hasEntries);
}

function refuseBesideRest(paths: Paths, what: string): void {
  const { dataDir, database } = paths;
  const rest = findRest(paths);
  if (rest === undefined) return;
  throw new StartError(
    `the database ${database} ${what}, but ${rest} of an earlier database exists: restore the database from a backup, or move ${dataDir} away to start with an empty database`,
  );
}

function hasEntries(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}
