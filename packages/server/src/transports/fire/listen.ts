import { createServer } from "node:http";
import type { FireSocketConfig } from "../../kernel/config/fire-socket-config.ts";
import type { Paths } from "../../kernel/files/paths.ts";
import { createHttpServer, type HttpServerParts } from "../shared/http-server.ts";
import { listenOnSocket, type SocketListener } from "../shared/socket-listener.ts";
import type { WaitingConnections } from "./connections.ts";
import { removeStaleSocket, requireSafePlace, setSocketPermissions } from "./place.ts";

export interface ListenForFiresParts extends Omit<HttpServerParts, "create"> {
  readonly config: FireSocketConfig;
  readonly paths: Pick<Paths, "dataDir" | "socket">;
  readonly connections: Pick<WaitingConnections, "add">;
}

/** How long a caller may take for the headers of its request, from its connection on. */
const headersTimeoutMs = 5_000;
/** How long a caller may take for its whole request. */
const requestTimeoutMs = 10_000;
/** How often Node looks for requests that take too long. */
const checkMs = 1_000;
const headerBytesMax = 8 * 1024;
/** Of callers with a valid key and without one. Node closes further connections as soon as it has accepted them. */
const connectionsMax = 1_000;

/** Serves the socket for fires. Each connection has one request. */
export async function listenForFires(parts: ListenForFiresParts): Promise<SocketListener> {
  const { config, paths, connections } = parts;
  const path = requireSafePlace(config.path, paths);
  await removeStaleSocket(path);
  const { server, drain } = createHttpServer({
    ...parts,
    create: (options, listener) =>
      createServer(
        {
          ...options,
          headersTimeout: headersTimeoutMs,
          requestTimeout: requestTimeoutMs,
          connectionsCheckingInterval: checkMs,
          maxHeaderSize: headerBytesMax,
        },
        listener,
      ),
  });
  // whatever follows the first request of a connection has no effect
  server.maxRequestsPerSocket = 1;
  server.maxConnections = connectionsMax;
  server.on("connection", connections.add);
  // without a listener, Node closes the connection
  server.removeAllListeners("connect");
  const listener = await listenOnSocket({
    server,
    path,
    advice: "choose another triggers.socket",
    setPermissions: () => setSocketPermissions(path, config),
    restoreFolder: () => void requireSafePlace(config.path, paths),
  });
  return {
    restore: listener.restore,
    close: async () => {
      await listener.close();
      await drain();
    },
  };
}
