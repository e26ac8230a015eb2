import { z } from "zod";
import { StartError } from "../errors/errors.ts";

/** The socket on which holders of trigger keys can fire, and do nothing else. */
export interface FireSocketConfig {
  readonly path: string;
  /** The mode of the socket, as in the file. */
  readonly mode: (typeof socketModes)[number];
  /** The group of the socket, by name or number; null for the group of the daemon. */
  readonly group: string | null;
}

const socketModes = ["0600", "0660", "0666"] as const;

/** The section `[triggers]`. */
export const TriggersSection = z.strictObject({
  socket: z.string().min(1).optional(),
  socket_mode: z.enum(socketModes).optional(),
  socket_group: z.string().min(1).optional(),
});

/** Reads the section; null if the socket is off. `resolvePath` makes a path absolute: it is relative to the file. */
export function readFireSocket(
  section: z.output<typeof TriggersSection> = {},
  resolvePath: (path: string) => string,
): FireSocketConfig | null {
  const { socket, socket_mode: mode, socket_group: group } = section;
  if (socket !== undefined) return { path: resolvePath(socket), mode: mode ?? "0660", group: group ?? null };
  const alone = mode !== undefined ? "socket_mode" : group !== undefined ? "socket_group" : null;
  if (alone === null) return null;
  throw new StartError(`triggers.${alone} needs triggers.socket: set the path of the socket, or remove ${alone}`);
}
