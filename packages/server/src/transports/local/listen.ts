import { getRequestListener, RequestError } from "@hono/node-server";
import { chmodSync, existsSync, lstatSync, mkdirSync, unlinkSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, Server as NetServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { systemClock } from "../../kernel/time/clock.ts";
import { StartError } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { type FileState, rememberFile } from "../../kernel/files/open-file.ts";
import {
  type EdgeRefusal,
  refusalBeforeRouting,
  refusalOfFailure,
  refusalOfParser,
  refusalOfTarget,
} from "../shared/edge.ts";
import type { Connection } from "../shared/mount.ts";

/** A request that hangs holds up no stop for longer. */
const settleMsMax = 2_000;

export interface ListenParts {
  readonly path: string;
  readonly version: string;
  readonly fetch: (request: Request, connection: Connection) => Response | Promise<Response>;
  /** Faster by far, but it replaces the process's own Request and Response: only for a process that is ours alone. */
  readonly overrideGlobalObjects: boolean;
  /** What no route caught, and the id its answer has. */
  readonly onUnexpected: (error: unknown, requestId: string) => void;
}

export interface LocalListener {
  readonly close: () => Promise<void>;
  /**
   * Makes the socket again where its file was removed, and its directory too. Connections live on. Throws where something
   * else has taken the place: that is not ours to remove.
   */
  readonly restore: () => boolean;
}

/** Serves the protected socket, 0600 before anyone can find it. */
export async function listenLocally(parts: ListenParts): Promise<LocalListener> {
  await makeRoom(parts.path);
  // this server speaks HTTP/1.1 alone
  const handle = getRequestListener((request, connection) => parts.fetch(request, connection as Connection), {
    overrideGlobalObjects: parts.overrideGlobalObjects,
    // an empty Host is a host like any other
    hostname: "localhost",
    errorHandler: (error) => {
      if (error instanceof RequestError) return responseOf(refusalOfTarget(parts.version));
      const requestId = newId("req");
      parts.onUnexpected(error, requestId);
      return responseOf(refusalOfFailure(parts.version, requestId));
    },
  });
  const latest = new WeakMap<Socket, ServerResponse>();
  const inFlight = new Set<Promise<void>>();
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    latest.set(incoming.socket, outgoing);
    const refusal = refusalBeforeRouting(incoming, parts.version);
    if (refusal === null) {
      const handled = handle(incoming, outgoing).finally(() => inFlight.delete(handled));
      inFlight.add(handled);
      return;
    }
    outgoing.writeHead(refusal.status, refusal.headers).end(refusal.body);
  };
  // the check of Host is ours: Node's own answers a bare 400
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 60_000 }, answer);
  // without this Node asks for a body before anyone knows whether it is wanted
  server.on("checkContinue", answer);
  server.on("checkExpectation", answer);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const refuse = (): void => refuseRaw(socket, error.code ?? "", parts.version);
    const former = latest.get(socket);
    // what follows a whole request is refused in its turn: the request before it may still take effect
    if (former?.req.complete === true && !former.writableFinished) former.once("close", refuse);
    else refuse();
  });
  server.on("connect", (_request, socket: Socket) => refuseRaw(socket, "CONNECT", parts.version));
  await listen(server, parts.path);
  // told by `restore` as well
  server.on("error", () => {});
  chmodSync(parts.path, 0o600);
  let look = rememberFile(parts.path);
  return {
    close: async () => {
      await close(server, look());
      await settle(inFlight);
    },
    restore: () => {
      const state = look();
      if (state === "same") return false;
      if (state === "replaced") throw new Error("another file has taken the place of the socket: move it away");
      mkdirSync(dirname(parts.path), { recursive: true, mode: 0o700 });
      // the server's own close would end idle connections
      NetServer.prototype.close.call(server);
      server.listen(parts.path);
      if (!server.listening) throw new Error("the socket was removed and cannot be made again: look at its directory");
      chmodSync(parts.path, 0o600);
      look = rememberFile(parts.path);
      return true;
    },
  };
}

/** A request that has lost its connection is still refused and audited: until then nothing it needs may be closed. */
async function settle(inFlight: ReadonlySet<Promise<void>>): Promise<void> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const timer = systemClock.after(settleMsMax, resolve, { hold: true });
  await Promise.race([Promise.allSettled(inFlight), timeIsUp]);
  timer.cancel();
}

function responseOf({ status, headers, body }: EdgeRefusal): Response {
  return new Response(body, { status, headers });
}

function refuseRaw(socket: Socket, code: string, version: string): void {
  // it is refused once, however much of it still comes
  if (socket.writableEnded) return;
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const { status, phrase, headers, body } = refusalOfParser(code, version);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${head.join("")}Connection: close\r\n\r\n${body}`);
}

/** A socket that a killed daemon left behind is removed; one that answers, or a file that is no socket, is not ours to touch. */
async function makeRoom(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) return;
  if (!lstatSync(path).isSocket())
    throw new StartError(`${path} exists and is not a socket: move it away or choose another --socket`);
  if (await answers(path))
    throw new StartError(`another program answers on the socket ${path}: stop it or choose another --socket`);
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
      reject(new StartError(`the socket ${path} cannot be opened: ${error.message}`, error)),
    );
    server.listen(path, resolve);
  });
}

/** Ends open streams too: without that a subscriber would hold the stop for ever. */
function close(server: Server, state: FileState): Promise<void> {
  return new Promise((resolve) => {
    // to close a listening socket removes whatever has its name by now
    if (state === "replaced") {
      server.unref();
      resolve();
    } else server.close(() => resolve());
    server.closeIdleConnections();
    server.closeAllConnections();
  });
}
