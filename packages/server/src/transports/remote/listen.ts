import type { Server } from "node:http";
import { createServer } from "node:https";
import { Server as NetServer, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { createHttpServer, type HttpServer, type HttpServerParts } from "../shared/http-server.ts";
import type { Connections } from "./connections.ts";

export interface ListenParts extends Omit<HttpServerParts, "create"> {
  readonly connections: Connections;
  readonly onHandshakeFailed: () => void;
}

/** A certificate and its key, both PEM. */
export interface KeyPair {
  readonly key: string;
  readonly chain: string;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

interface Port extends Place, HttpServer {
  readonly renew: (pair: KeyPair) => void;
  /** Until then, connections are closed at once. */
  isActive: boolean;
}

export type RemoteListener = ReturnType<typeof createRemoteListener>;

const handshakeTimeoutMs = 5_000;
/** How long a client may take for the headers of a request, from the handshake or the former request on. */
const headersTimeoutMs = 10_000;
/** How long a client may take for a whole request. */
const requestTimeoutMs = 60_000;
/** How often Node looks for requests that take too long. */
const checkMs = 1_000;
const headerBytesMax = 16 * 1024;

/** Serves TLS 1.3 on one port at a time. */
export function createRemoteListener({ connections, onHandshakeFailed, ...parts }: ListenParts) {
  let current: Port | null = null;

  return {
    isListening: (): boolean => current !== null,
    countConnections: connections.count,
    renew: (pair: KeyPair): void => current?.renew(pair),

    /** Opens a port. Where the present one is in its way, that one is closed first, and opened again if it must be. */
    open: async ({ host, port, ...pair }: Place & KeyPair) => {
      const former = current;
      if (former !== null && former.host === host && former.port === port)
        return { activate: (): void => former.renew(pair), undo: (): Promise<void> => Promise.resolve() };
      const isInTheWay = former !== null && former.port === port;
      if (isInTheWay) stopAccepting(former);
      const next = createPort({ host, port }, pair);
      try {
        await startAccepting(next);
      } catch (error) {
        if (isInTheWay) await startAccepting(former);
        throw error;
      }
      current = next;
      return {
        activate: (): void => {
          next.isActive = true;
          if (former !== null) end(former);
        },
        undo: async (): Promise<void> => {
          end(next);
          current = former;
          if (isInTheWay) await startAccepting(former);
        },
      };
    },

    close: async (): Promise<void> => {
      const closing = current;
      current = null;
      if (closing === null) return;
      end(closing);
      connections.closeAll();
      await closing.drain();
    },
  };

  function createPort(place: Place, pair: KeyPair): Port {
    const http = createHttpServer({
      ...parts,
      create: (options, listener) =>
        createServer(
          {
            ...options,
            ...contextOf(pair),
            handshakeTimeout: handshakeTimeoutMs,
            headersTimeout: headersTimeoutMs,
            requestTimeout: requestTimeoutMs,
            connectionsCheckingInterval: checkMs,
            maxHeaderSize: headerBytesMax,
          },
          listener,
        ),
    });
    const server = http.server as ReturnType<typeof createServer>;
    const port: Port = {
      ...place,
      ...http,
      isActive: false,
      renew: (next) => server.setSecureContext(contextOf(next)),
    };
    server.on("connection", (socket: Socket) => (port.isActive ? connections.add(socket) : void socket.destroy()));
    // the HTTP server would answer in plain text
    server.removeAllListeners("tlsClientError");
    server.on("tlsClientError", (_error, socket: TLSSocket) => {
      onHandshakeFailed();
      socket.destroy();
    });
    return port;
  }
}

/** Complete each time: `setSecureContext` resets whatever is not repeated, the version of TLS included. */
function contextOf({ key, chain }: KeyPair) {
  return { key, cert: chain, minVersion: "TLSv1.3", maxVersion: "TLSv1.3" } as const;
}

async function startAccepting({ server, host, port }: Port): Promise<void> {
  try {
    await listen(server, host, port);
  } catch (error) {
    // a machine without IPv6
    const hasNoIpv6 = error instanceof Error && "code" in error && error.code === "EAFNOSUPPORT";
    if (host !== "::" || !hasNoIpv6) throw error;
    await listen(server, "0.0.0.0", port);
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => reject(error);
    server.once("error", onError);
    server.listen({ host, port }, () => {
      // without a listener, a later error would end the daemon
      server.off("error", onError).on("error", () => {});
      resolve();
    });
  });
}

/** Connections continue, unlike with the server's own close. */
function stopAccepting({ server }: Port): void {
  NetServer.prototype.close.call(server);
}

function end({ server }: Port): void {
  server.close();
  server.closeAllConnections();
}
