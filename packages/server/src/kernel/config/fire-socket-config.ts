import { existsSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { StartError } from "../errors/errors.ts";
import { identityOf } from "../files/open-file.ts";
import { type Paths, socketBytesMax } from "../files/paths.ts";

/** The socket on which holders of trigger keys can fire, and do nothing else. */
export interface FireSocketConfig {
  readonly path: string;
  /** The mode of the socket, as in the file. */
  readonly mode: (typeof socketModes)[number];
  /** The group of the socket, by name or number; null for the group of the daemon. */
  readonly group: string | null;
}

/** What to do about a place that the socket cannot have. */
export const advice = "choose another triggers.socket";

const socketModes = ["0600", "0660", "0666"] as const;

/** The section `[triggers]`. */
export const TriggersSection = z.strictObject({
  socket: z.string().min(1).optional(),
  socket_mode: z.enum(socketModes).optional(),
  socket_group: z.string().min(1).optional(),
});

type Places = Pick<Paths, "dataDir" | "socket">;

/**
 * Reads the section; null if the socket is off. `resolvePath` makes a path absolute: it is relative to the file. What can
 * never work is refused here, before anything is made: a person has to correct it.
 */
export function readFireSocket(
  section: z.output<typeof TriggersSection> = {},
  resolvePath: (path: string) => string,
  places: Places,
): FireSocketConfig | null {
  const { socket, socket_mode: mode, socket_group: group } = section;
  if (socket !== undefined) {
    if (socket.startsWith("~"))
      throw new StartError(
        `triggers.socket ${JSON.stringify(socket)} begins with ~, which the daemon does not replace by a home directory: write the whole path`,
      );
    const path = resolvePath(socket);
    requirePossiblePlace(path, places);
    if (group !== undefined) findGroup(group);
    return { path, mode: mode ?? "0660", group: group ?? null };
  }
  const alone = mode !== undefined ? "socket_mode" : group !== undefined ? "socket_group" : null;
  if (alone === null) return null;
  throw new StartError(`triggers.${alone} needs triggers.socket: set the path of the socket, or remove ${alone}`);
}

/** Throws for a place where the socket can never be. `configured` is its name in the configuration. */
export function requirePossiblePlace(path: string, { dataDir, socket }: Places, configured = path): void {
  const bytes = Buffer.byteLength(path);
  if (bytes > socketBytesMax)
    throw new StartError(
      `triggers.socket ${path} is too long (${bytes} bytes; the system allows ${socketBytesMax}): choose a shorter path`,
    );
  if (foldersAbove(path).some((folder) => isSameFolder(folder, dataDir)))
    throw new StartError(
      `triggers.socket ${configured} is inside the data directory ${dataDir}, which only the daemon's user may enter: ${advice}`,
    );
  if (basename(path) === basename(socket) && isSameFolder(dirname(path), dirname(socket)))
    throw new StartError(`triggers.socket ${configured} is the daemon's own socket: ${advice}`);
}

/** The directories above a path, the nearest one first. */
export function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

/** By identity too, because a mount or a link gives a directory a second path. */
function isSameFolder(one: string, other: string): boolean {
  const identity = identityOf(one);
  return one === other || (identity !== null && identity === identityOf(other));
}

/** Finds the number of a group, which Node does not do. */
export function findGroup(group: string): number {
  if (/^\d+$/.test(group)) return Number(group);
  const groups = existsSync("/etc/group") ? readFileSync("/etc/group", "utf8") : "";
  const found = groups
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === group);
  if (found?.[2] !== undefined && /^\d+$/.test(found[2])) return Number(found[2]);
  throw new StartError(
    `triggers.socket_group ${JSON.stringify(group)} is not in /etc/group: create the group, or give its number`,
  );
}
