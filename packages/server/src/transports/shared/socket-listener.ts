import type { Server } from "node:http";
import { connect, Server as NetServer } from "node:net";
import { StartError } from "../../kernel/errors/errors.ts";
import { type FileState, rememberFile } from "../../kernel/files/open-file.ts";

export interface SocketListenerParts {
  readonly server: Server;
  readonly path: string;
  /** What to do if the socket cannot be opened, for the error. */
  readonly advice: string;
  /** Sets who may connect, as soon as the socket exists. */
  readonly setPermissions: () => void;
  /** Makes the directory of the socket ready for the socket to be created again. */
  readonly restoreFolder: () => void;
}

export interface SocketListener {
  /** Closes the server and its open connections. */
  readonly close: () => Promise<void>;
  /**
   * Creates the socket again if it was removed; returns whether it was. Connections continue. Throws if something else
   * is at the path, because that is not ours to remove.
   */
  readonly restore: () => boolean;
}

/** Listens on a socket of the file system, at a path at which nothing exists. */
export async function listenOnSocket(parts: SocketListenerParts): Promise<SocketListener> {
  const { server, path, setPermissions } = parts;
  await listen(parts);
  // without a listener, an error of `restore` would end the daemon
  server.on("error", () => {});
  let look: () => FileState;
  try {
    setPermissions();
    look = rememberFile(path);
  } catch (error) {
    await close(server, "same");
    throw error;
  }
  return {
    close: () => close(server, look()),
    restore: () => {
      const state = look();
      if (state === "same") return false;
      if (state === "replaced") throw new Error("another file has replaced the socket: move that file away");
      parts.restoreFolder();
      // the server's own close would end idle connections
      NetServer.prototype.close.call(server);
      server.listen(path);
      if (!server.listening)
        throw new Error("the socket was removed and cannot be created again: check the permissions of its directory");
      setPermissions();
      look = rememberFile(path);
      return true;
    },
  };
}

/** What answers at a socket. `nothing` is a socket that a killed program left behind. */
export type SocketUse = "nothing" | "a program" | "unknown";

/** Finds out whether a program listens on a socket. A program that is too busy to accept connections listens. */
export function findSocketUse(path: string): Promise<SocketUse> {
  return new Promise((resolve) => {
    const probe = connect(path);
    const done = (use: SocketUse): void => {
      probe.destroy();
      resolve(use);
    };
    probe.once("connect", () => done("a program"));
    probe.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ECONNREFUSED" || code === "ENOENT") return done("nothing");
      done(code === "EAGAIN" ? "a program" : "unknown");
    });
  });
}

function listen({ server, path, advice }: SocketListenerParts): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void =>
      reject(new StartError(`the socket ${path} cannot be opened (${error.message}): ${advice}`, error));
    server.once("error", onError);
    server.listen(path, () => {
      server.off("error", onError);
      resolve();
    });
  });
}

/** Closes the server and its open streams: otherwise a subscriber would block the stop forever. */
function close(server: Server, state: FileState): Promise<void> {
  return new Promise((resolve) => {
    // closing a listening socket removes any file that has its name
    if (state === "replaced") {
      server.unref();
      resolve();
    } else server.close(() => resolve());
    server.closeIdleConnections();
    server.closeAllConnections();
  });
}
