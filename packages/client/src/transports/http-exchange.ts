import { type IncomingMessage, request as httpRequest, type RequestOptions } from "node:http";
import { AbortError, type BelfryError } from "../errors.ts";

const statusesWithoutBody = [204, 205, 304];

/** A longer body is passed on while it arrives. */
const wholeBytesMax = 1024 * 1024;

/** How to send a request with Node's `http`. */
export interface Route {
  readonly options: RequestOptions;
  /** When the request counts as sent: once its socket has connected, or as soon as it has a socket, which is connected. */
  readonly sentOnce: "connected" | "assigned";
  /** Explains a failure before anything was sent. */
  readonly explain: (error: NodeJS.ErrnoException) => BelfryError;
  /** Called when the exchange is over, its body included. */
  readonly onClose?: () => void;
}

/** Sends a request of the fetch standard with Node's `http`. Follows no redirect. */
export async function exchangeOver(request: Request, route: Route): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  const message = await receiveResponse(request, body, route);
  const { status, headers } = readHead(message);
  if (statusesWithoutBody.includes(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  // creating a web stream is slow, so only a long response, or one without a known length, becomes one
  const isWhole = Number(message.headers["content-length"] ?? Number.NaN) <= wholeBytesMax;
  return new Response(isWhole ? await readWhole(message) : toStream(message), { status, headers });
}

function receiveResponse(request: Request, body: Uint8Array, route: Route): Promise<IncomingMessage> {
  const { pathname, search } = new URL(request.url);
  const { signal } = request;
  return new Promise((resolve, reject) => {
    let isSent = false;
    const outgoing = httpRequest({
      path: pathname + search,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      signal,
      ...route.options,
    });
    outgoing.once("socket", (socket) => {
      if (route.sentOnce === "assigned") isSent = true;
      else socket.once("connect", () => (isSent = true));
    });
    outgoing.once("response", resolve);
    outgoing.once("close", () => route.onClose?.());
    // never removed: an abort during the body is emitted here too
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (isSent) reject(error);
      else if (signal.aborted) reject(new AbortError(signal));
      else reject(route.explain(error));
    });
    outgoing.end(body);
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
