import { chmodSync, existsSync, lstatSync, unlinkSync } from "node:fs";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { StartError } from "../../kernel/errors/errors.ts";
import { makeFolder } from "../../kernel/files/paths.ts";
import { createHttpServer, type HttpServerParts } from "../shared/http-server.ts";
import { findSocketUse, listenOnSocket, type SocketListener } from "../shared/socket-listener.ts";

export interface ListenParts extends Omit<HttpServerParts, "create"> {
  readonly path: string;
}

/** Restores the socket with its directory. */
export type LocalListener = SocketListener;

/** Serves the protected socket, which has mode 0600. */
export async function listenLocally({ path, ...parts }: ListenParts): Promise<LocalListener> {
  await preparePath(path);
  const { server, drain } = createHttpServer({ ...parts, create: createServer });
  const listener = await listenOnSocket({
    server,
    path,
    advice: "choose another --socket",
    setPermissions: () => chmodSync(path, 0o600),
    restoreFolder: () => makeFolder(dirname(path)),
  });
  return {
    restore: listener.restore,
    close: async () => {
      await listener.close();
      await drain();
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
  if ((await findSocketUse(path)) === "a program")
    throw new StartError(
      `another program is listening on the socket ${path}: stop that program or choose another --socket`,
    );
  unlinkSync(path);
}
