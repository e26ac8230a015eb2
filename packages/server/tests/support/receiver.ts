import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createRawServer, type AddressInfo, type Socket } from "node:net";
import { expectAsSent } from "./as-sent.ts";

/** One request as it arrived, with its time by the process's monotonic clock. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

export interface ReceiverOptions {
  /** 204 by default. */
  readonly behave?: Behaviour;
  /** TLS with this certificate. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly host?: string;
  /** Whether a daemon sends: then each request must have the daemon's form. True by default. */
  readonly isOfDaemon?: boolean;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ""): Behaviour =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

/**
 * A real receiver on this machine: `await using receiver = await startReceiver()`. Its end fails the test if a
 * daemon sent an invalid request.
 */
export async function startReceiver({
  behave = answerWith(204),
  tls,
  host = "127.0.0.1",
  isOfDaemon = true,
}: ReceiverOptions = {}) {
  const requests: Received[] = [];
  let behaviour = behave;
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const parts: Buffer[] = [];
    request.on("error", () => {}).on("data", (part: Buffer) => parts.push(part));
    response.on("error", () => {});
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      requests.push({ method, path, headers, body: Buffer.concat(parts).toString("utf8"), atMs: performance.now() });
      behaviour(request, response, requests.length);
    });
  };
  const server = tls === undefined ? createServer(receive) : createSecureServer(tls, receive);
  server.on("tlsClientError", () => {});
  server.listen({ port: 0, host, backlog: 2_000 });
  await new Promise((resolve, reject) => server.once("listening", resolve).once("error", reject));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${tls === undefined ? "http" : "https"}://${host}:${port}`,
    url: `${tls === undefined ? "http" : "https"}://${host}:${port}/hook/planted-path?key=planted-query`,
    requests,
    /** Sets the behaviour from the next request on. */
    behave: (next: Behaviour): void => void (behaviour = next),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (isOfDaemon) await expectAsSent(requests);
    },
  };
}

/** A receiver without HTTP: the test itself handles each connection. */
export async function startRawReceiver(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let connections = 0;
  let openMax = 0;
  const server = createRawServer((socket) => {
    connections++;
    sockets.add(socket);
    openMax = Math.max(openMax, sockets.size);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    onConnection(socket);
  });
  server.listen({ port: 0, host: "127.0.0.1", backlog: 4_000 });
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook/planted-path?key=planted-query`,
    get connections(): number {
      return connections;
    },
    get open(): number {
      return sockets.size;
    },
    /** The highest number of simultaneously open connections. */
    get openMax(): number {
      return openMax;
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let shared: Promise<Receiver> | null = null;

/** A receiver that accepts everything, for tests that do not inspect it; it ends with its process. */
export function sharedReceiver(): Promise<Receiver> {
  return (shared ??= startReceiver());
}
