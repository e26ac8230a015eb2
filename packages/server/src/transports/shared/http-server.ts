import { getRequestListener, RequestError } from "@hono/node-server";
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { newId } from "../../kernel/ids.ts";
import { systemClock, within } from "../../kernel/time/clock.ts";
import { type EdgeRefusal, refusalBeforeRouting, refusalOfFailure, refusalOfParser, refusalOfTarget } from "./edge.ts";
import type { Connection } from "./mount.ts";

/** How long a stop waits for requests in flight. */
const requestsTimeoutMs = 2_000;

export interface HttpServerParts {
  /** Node's `createServer` for the transport: the plain one for a socket. */
  readonly create: (options: ServerOptions, listener: RequestListener) => Server;
  readonly version: string;
  readonly fetch: (request: Request, connection: Connection) => Response | Promise<Response>;
  /** Much faster, but it replaces the global Request and Response: only for a process that runs nothing else. */
  readonly overrideGlobalObjects: boolean;
  /** Called with an error that no route caught, and the request id of its answer. */
  readonly onUnexpected: (error: unknown, requestId: string) => void;
}

export interface HttpServer {
  readonly server: Server;
  /**
   * Resolves when every request has its answer and its audit row, or when the time for that is over. Until then,
   * nothing that a request needs may be closed.
   */
  readonly drain: () => Promise<void>;
}

/**
 * Creates an HTTP server whose answers have the API's form even before routing: to browsers, and to requests that are
 * not HTTP.
 */
export function createHttpServer({ create, version, ...parts }: HttpServerParts): HttpServer {
  // this server supports only HTTP/1.1
  const handle = getRequestListener((request, connection) => parts.fetch(request, connection as Connection), {
    overrideGlobalObjects: parts.overrideGlobalObjects,
    // the host of the URL, for a request with an empty Host
    hostname: "localhost",
    errorHandler: (error) => {
      if (error instanceof RequestError) return responseOf(refusalOfTarget(version));
      const requestId = newId("req");
      parts.onUnexpected(error, requestId);
      return responseOf(refusalOfFailure(version, requestId));
    },
  });
  const latest = new WeakMap<Socket, ServerResponse>();
  const inFlight = new Set<Promise<void>>();
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    latest.set(incoming.socket, outgoing);
    const refusal = refusalBeforeRouting(incoming, version);
    if (refusal === null) {
      const handled = handle(incoming, outgoing).finally(() => inFlight.delete(handled));
      inFlight.add(handled);
      return;
    }
    outgoing.writeHead(refusal.status, refusal.headers).end(refusal.body);
  };
  // the daemon checks Host itself, because Node would answer with an empty 400
  const server = create({ requireHostHeader: false, keepAliveTimeout: 60_000 }, answer);
  // without this, Node requests a body before the daemon knows whether it accepts one
  server.on("checkContinue", answer);
  server.on("checkExpectation", answer);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const refuse = (): void => refuseRaw(socket, error.code ?? "", version);
    const former = latest.get(socket);
    // after a complete request, wait for its answer: that request may still take effect
    if (former?.req.complete === true && !former.writableFinished) former.once("close", refuse);
    else refuse();
  });
  server.on("connect", (_request, socket: Socket) => refuseRaw(socket, "CONNECT", version));
  return {
    server,
    drain: async () => {
      await within(systemClock, requestsTimeoutMs, Promise.allSettled(inFlight));
    },
  };
}

function responseOf({ status, headers, body }: EdgeRefusal): Response {
  return new Response(body, { status, headers });
}

function refuseRaw(socket: Socket, code: string, version: string): void {
  // the client is rejected once, however much data follows
  if (socket.writableEnded) return;
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const { status, phrase, headers, body } = refusalOfParser(code, version);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${head.join("")}Connection: close\r\n\r\n${body}`);
}
