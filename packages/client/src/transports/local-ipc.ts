import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { AbortError } from "../errors.ts";
import { describeConnectFailure } from "./connect-failure.ts";
import type { Transport } from "./transport.ts";

const statusesWithoutBody = [204, 205, 304];

/** Else Node works out the name for TLS, of which there is none, by patterns that take it milliseconds to make. */
const noServerName = { servername: "" };

/**
 * HTTP over the daemon's socket. Each request has a connection of its own: a kept one may be closed by the daemon just
 * as a mutation is written to it, and its outcome would be uncertain for no reason. A function is asked before each
 * request, so that a daemon which comes back elsewhere is found.
 */
export function localTransport(socketPath: string | (() => string)): Transport {
  return {
    baseUrl: "http://localhost",
    fetch: (request) => fetchOverSocket(request, typeof socketPath === "string" ? socketPath : socketPath()),
  };
}

async function fetchOverSocket(request: Request, socketPath: string): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  const { pathname, search } = new URL(request.url);
  const outgoing = httpRequest({
    socketPath,
    path: pathname + search,
    method: request.method,
    headers: Object.fromEntries(request.headers),
    signal: request.signal,
    agent: false,
    ...noServerName,
  });
  outgoing.end(body);
  const message = await answerTo(outgoing, socketPath, request.signal);
  const { status, headers } = headOf(message);
  if (statusesWithoutBody.includes(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  // a stream costs a short command more than all else, so only what may have no end is one
  const isWhole = message.headers["content-length"] !== undefined;
  return new Response(isWhole ? await readWhole(message) : toStream(message), { status, headers });
}

function answerTo(outgoing: ClientRequest, socketPath: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let isConnected = false;
    outgoing.once("socket", (socket) => socket.once("connect", () => (isConnected = true)));
    outgoing.once("response", resolve);
    // stays for the life of the request: an abort while the body is read is emitted here too
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (isConnected) reject(error);
      else if (signal.aborted) reject(new AbortError(signal));
      else reject(describeConnectFailure(error, socketPath));
    });
  });
}

function headOf(message: IncomingMessage): { readonly status: number; readonly headers: [string, string][] } {
  const headers = Object.entries(message.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  return { status: message.statusCode ?? 0, headers };
}

function readWhole(message: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    message.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    message.once("end", () => resolve(Buffer.concat(chunks)));
    message.once("error", reject);
  });
}

/** Not `Readable.toWeb` nor `ReadableStream.from`: a cancel must close the socket at once, also while a read waits. */
function toStream(message: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array, undefined> = message[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void message.destroy(),
  });
}
