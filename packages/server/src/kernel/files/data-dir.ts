import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, relative, sep } from "node:path";
import { StartError } from "../errors/errors.ts";
import { asFileStartError } from "../errors/start-error.ts";
import { excerpt } from "../log/redact.ts";
import { findRest } from "../storage/lost-database.ts";
import { formatMode } from "./format-mode.ts";
import { makePrivate, type Paths } from "./paths.ts";

type Places = Pick<Paths, "dataDir" | "database" | "sealingKey" | "restoring" | "attempts" | "configFile" | "socket">;

/** What the daemon, the runners and a restore make in a data directory, and what an editor makes of `config.toml`. */
const ownNames = [
  /^belfry\.db(?:-wal|-shm|-journal|\.before-.+)?$/,
  /^(?:sealing\.key|daemon\.json)(?:\.new)?$/,
  /^(?:attempts|runners|watchers|log|remote|lock|backup\.tmp|restore\.tmp|belfry\.sock)$/,
  /^\.?config\.toml.*$/,
  // of a file system that is mounted there
  /^lost\+found$/,
];

const namedMax = 3;

/**
 * Makes the data directory ready for the lock. Throws before anything is changed if a new database would come among
 * other programs' files, or if those files would become unreachable for their users. `configured` are the files that
 * the configuration names. Returns the mode that an open directory had, and null for a directory that was private.
 */
export function takeDataDir(places: Places, configured: readonly string[]): string | null {
  const { dataDir } = places;
  const mode = readOwnMode(dataDir);
  if (mode !== null) requireOwnFiles(places, { mode, configured });
  makePrivate(dataDir);
  return mode === null || mode === 0o700 ? null : formatMode(mode);
}

function requireOwnFiles(
  places: Places,
  { mode, configured }: { readonly mode: number; readonly configured: readonly string[] },
): void {
  const { dataDir } = places;
  const foreign = listForeign(places, configured);
  if (!isBelfrys(places)) {
    if (foreign.length === 0) return;
    throw new StartError(
      `the data directory ${dataDir} contains no database of Belfry, but other files (${nameSome(foreign)}): choose an empty directory with --data-dir or BELFRY_DATA_DIR, or move these files away`,
    );
  }
  // tasks leave hidden files in the home of their user, which may be the data directory
  const shared = foreign.filter((name) => !name.startsWith("."));
  if (mode === 0o700 || shared.length === 0) return;
  throw new StartError(
    `the data directory ${dataDir} has mode ${formatMode(mode)}, but must have mode 0700, and contains files that are not Belfry's (${nameSome(shared)}): move these files away, or close the directory yourself with chmod 700`,
  );
}

/** Returns the mode of an existing directory of this user; null for anything else, which `makePrivate` makes or rejects. */
function readOwnMode(folder: string): number | null {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found?.isFile() === true)
      throw new StartError(`the data directory ${folder} is a file: choose a directory with --data-dir`);
    const isOwn = found?.isDirectory() === true && found.uid === (process.geteuid?.() ?? found.uid);
    return isOwn ? found.mode & 0o777 : null;
  } catch (error) {
    throw asFileStartError(error, folder);
  }
}

/** Whether a daemon has worked here. Without a database, the start goes on to the message about the loss. */
function isBelfrys(places: Places): boolean {
  const size = statSync(places.database, { throwIfNoEntry: false })?.size ?? 0;
  return size > 0 || existsSync(places.restoring) || findRest(places) !== undefined;
}

function listForeign({ dataDir, configFile, socket }: Places, configured: readonly string[]): readonly string[] {
  const expected = new Set([configFile, socket, ...configured].map((path) => relative(dataDir, path).split(sep)[0]));
  try {
    return readdirSync(dataDir)
      .filter((name) => !expected.has(name) && !ownNames.some((own) => own.test(name)))
      .sort();
  } catch (error) {
    throw asFileStartError(error, dataDir);
  }
}

function nameSome(names: readonly string[]): string {
  const some = names.slice(0, namedMax).map((name) => JSON.stringify(excerpt(basename(name))));
  const more = names.length - some.length;
  return more === 0 ? some.join(", ") : `${some.join(", ")} and ${more} more`;
}
