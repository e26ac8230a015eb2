import { chmodSync, lchownSync, lstatSync, realpathSync, statSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  advice,
  findGroup,
  type FireSocketConfig,
  foldersAbove,
  requirePossiblePlace,
} from "../../kernel/config/fire-socket-config.ts";
import { StartError } from "../../kernel/errors/errors.ts";
import { formatMode } from "../../kernel/files/format-mode.ts";
import type { Paths } from "../../kernel/files/paths.ts";
import { findSocketUse } from "../shared/socket-listener.ts";

/**
 * Returns the real path of the socket, with every link resolved. Throws unless only root and the daemon's user can put
 * files there: another user could replace the socket, and collect the keys that are sent to it.
 */
export function requireSafePlace(configured: string, places: Pick<Paths, "dataDir" | "socket">): string {
  // first without its links: a directory that is missing there need not be created
  requirePossiblePlace(configured, places);
  const parent = resolveParent(configured);
  const path = join(parent, basename(configured));
  requirePossiblePlace(path, places, configured);
  requirePrivateParent(configured, parent);
  const open = foldersAbove(parent).find((folder) => {
    const { mode } = statSync(folder);
    return (mode & 0o002) !== 0 && (mode & 0o1000) === 0;
  });
  if (open !== undefined) throw openToOthers(configured, open);
  return path;
}

/**
 * Removes a socket that a killed daemon of the same user left behind. Throws for every other file, and follows no link.
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket())
    throw new StartError(`triggers.socket ${path} exists but is not a socket: move the file away, or ${advice}`);
  const use = await findSocketUse(path);
  if (use === "a program")
    throw new StartError(
      `another program, such as a second daemon, is listening on triggers.socket ${path}: stop that program, or ${advice}`,
    );
  if (use === "unknown" || found.uid !== process.geteuid?.())
    throw new StartError(
      `triggers.socket ${path} belongs to another user (${found.uid}): remove the file, or ${advice}`,
    );
  const now = lstatSync(path, { throwIfNoEntry: false });
  if (now?.ino === found.ino && now.dev === found.dev) unlinkSync(path);
}

/** Sets who may connect. The group comes first, so that the wider mode never applies to another group. */
export function setSocketPermissions(path: string, { mode, group }: FireSocketConfig): void {
  const unchanged = -1;
  if (group !== null) {
    try {
      lchownSync(path, unchanged, findGroup(group));
    } catch (error) {
      if (error instanceof StartError) throw error;
      throw new StartError(
        `triggers.socket_group ${JSON.stringify(group)} cannot be set: only root and members of the group can do this. Add the daemon's user to the group and start the daemon again`,
        error,
      );
    }
  }
  chmodSync(path, Number.parseInt(mode, 8));
}

function resolveParent(configured: string): string {
  const parent = dirname(configured);
  try {
    const found = realpathSync(parent);
    if (statSync(found).isDirectory()) return found;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT")
      throw new StartError(
        `the directory ${parent} of triggers.socket does not exist: create it, so that only root or the daemon's user can write in it`,
        error,
      );
    if (code !== "ENOTDIR")
      throw new StartError(
        `the directory ${parent} of triggers.socket cannot be used (${String(code)}): check its permissions`,
        error,
      );
  }
  throw new StartError(`triggers.socket ${configured} is not in a directory: ${advice}`);
}

function requirePrivateParent(configured: string, parent: string): void {
  const { uid, mode } = statSync(parent);
  if (uid !== 0 && uid !== process.geteuid?.())
    throw new StartError(
      `the directory ${parent} of triggers.socket belongs to another user (${uid}), who could replace the socket: use a directory of root or of the daemon's user`,
    );
  // even where only owners may delete: while the daemon is not running, another user could create the socket
  if ((mode & 0o022) !== 0) throw openToOthers(configured, parent);
}

function openToOthers(configured: string, folder: string): StartError {
  const mode = formatMode(statSync(folder).mode & 0o7777);
  return new StartError(
    `triggers.socket ${configured} is not safe: other users can write in ${folder} (mode ${mode}), and could replace the socket. Remove that permission, or choose another directory`,
  );
}
