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
  /** Node's own `createServer` of the transport: plain on the socket. */
  readonly create: (options: ServerOptions, listener: RequestListener) => Server;
  readonly version: string;
  readonly fetch: (request: Request, connection: Connection) => Response | Promise<Response>;
  /** Faster by far, but it replaces the process's own Request and Response: only for a process that is ours alone. */
  readonly overrideGlobalObjects: boolean;
  /** An error that no route caught, and the id its answer has. */
  readonly onUnexpected: (error: unknown, requestId: string) => void;
}

export interface HttpServer {
  readonly server: Server;
  /** Resolves when every request has its answer and its audit row, or hangs: until then nothing it needs may be closed. */
  readonly drain: () => Promise<void>;
}

/** An HTTP server that answers in the API's form also where no route is reached: to browsers, and to what is not HTTP. */
export function createHttpServer({ create, version, ...parts }: HttpServerParts): HttpServer {
  // this server supports only HTTP/1.1
  const handle = getRequestListener((request, connection) => parts.fetch(request, connection as Connection), {
    overrideGlobalObjects: parts.overrideGlobalObjects,
    // an empty Host is a host like any other
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
  // the check of Host is ours: Node's own answers a bare 400
  const server = create({ requireHostHeader: false, keepAliveTimeout: 60_000 }, answer);
  // without this Node asks for a body before anyone knows whether it is wanted
  server.on("checkContinue", answer);
  server.on("checkExpectation", answer);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const refuse = (): void => refuseRaw(socket, error.code ?? "", version);
    const former = latest.get(socket);
    // what follows a whole request is refused in its turn: the request before it may still take effect
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
  // it is rejected once, however much of it follows
  if (socket.writableEnded) return;
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const { status, phrase, headers, body } = refusalOfParser(code, version);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${head.join("")}Connection: close\r\n\r\n${body}`);
}
