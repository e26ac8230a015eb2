import { chmodSync, existsSync, lstatSync, unlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect, Server as NetServer } from "node:net";
import { dirname } from "node:path";
import { StartError } from "../../kernel/errors/errors.ts";
import { type FileState, rememberFile } from "../../kernel/files/open-file.ts";
import { makeFolder } from "../../kernel/files/paths.ts";
import { createHttpServer, type HttpServerParts } from "../shared/http-server.ts";

export interface ListenParts extends Omit<HttpServerParts, "create"> {
  readonly path: string;
}

export interface LocalListener {
  readonly close: () => Promise<void>;
  /**
   * Creates the socket and its directory again if they were removed; returns whether they were. Connections continue.
   * Throws if something else is at the path, because that is not ours to remove.
   */
  readonly restore: () => boolean;
}

/** Serves the protected socket, which has mode 0600. */
export async function listenLocally(parts: ListenParts): Promise<LocalListener> {
  await preparePath(parts.path);
  const { server, drain } = createHttpServer({ ...parts, create: createServer });
  await listen(server, parts.path);
  // without a listener, an error of `restore` would end the daemon
  server.on("error", () => {});
  chmodSync(parts.path, 0o600);
  let look = rememberFile(parts.path);
  return {
    close: async () => {
      await close(server, look());
      await drain();
    },
    restore: () => {
      const state = look();
      if (state === "same") return false;
      if (state === "replaced") throw new Error("another file has replaced the socket: move that file away");
      makeFolder(dirname(parts.path));
      // the server's own close would end idle connections
      NetServer.prototype.close.call(server);
      server.listen(parts.path);
      if (!server.listening)
        throw new Error("the socket was removed and cannot be created again: check the permissions of its directory");
      chmodSync(parts.path, 0o600);
      look = rememberFile(parts.path);
      return true;
    },
  };
}

/**
 * Creates the directory, and removes a socket that a killed daemon left behind. Throws for any other file.
 */
async function preparePath(path: string): Promise<void> {
  makeFolder(dirname(path));
  if (!existsSync(path)) return;
  if (!lstatSync(path).isSocket())
    throw new StartError(`${path} exists but is not a socket: move the file away or choose another --socket`);
  if (await answers(path))
    throw new StartError(
      `another program is listening on the socket ${path}: stop that program or choose another --socket`,
    );
  unlinkSync(path);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    const done = (found: boolean): void => {
      probe.destroy();
      resolve(found);
    };
    probe.once("connect", () => done(true)).once("error", () => done(false));
  });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new StartError(`the socket ${path} cannot be opened (${error.message}): choose another --socket`, error)),
    );
    server.listen(path, resolve);
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
