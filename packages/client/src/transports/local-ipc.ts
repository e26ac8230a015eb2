import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { AbortError } from "../errors.ts";
import { describeConnectFailure } from "./connect-failure.ts";
import type { Transport } from "./transport.ts";

const statusesWithoutBody = [204, 205, 304];

/** Without this, Node computes a TLS server name that is never used, which takes milliseconds. */
const noServerName = { servername: "" };

/**
 * Creates a transport for HTTP over the daemon's socket. If `socketPath` is a function, it is called before each request, so
 * that a daemon restarted at another path is found. Each request opens its own connection. The daemon may close a kept
 * connection just when a mutation is written, and then the outcome of the mutation would be uncertain.
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
  const message = await receiveResponse(outgoing, socketPath, request.signal);
  const { status, headers } = readHead(message);
  if (statusesWithoutBody.includes(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  // creating a web stream is slow, so only a response without a known length becomes one
  const isWhole = message.headers["content-length"] !== undefined;
  return new Response(isWhole ? await readWhole(message) : toStream(message), { status, headers });
}

function receiveResponse(outgoing: ClientRequest, socketPath: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let isConnected = false;
    outgoing.once("socket", (socket) => socket.once("connect", () => (isConnected = true)));
    outgoing.once("response", resolve);
    // never removed: an abort during the body is emitted here too
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (isConnected) reject(error);
      else if (signal.aborted) reject(new AbortError(signal));
      else reject(describeConnectFailure(error, socketPath));
    });
  });
}

function readHead(message: IncomingMessage): { readonly status: number; readonly headers: [string, string][] } {
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

/** `Readable.toWeb` and `ReadableStream.from` do not close the socket immediately when a cancel meets a pending read. */
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
