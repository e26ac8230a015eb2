import { isWebhookParseError, parseWebhook, webhookBodyBytesMax } from "@belfry/webhook-schema";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { port, readOptions, type ReceiverOptions, serverLimits, webhookPath } from "./options.ts";

/** A receiver on node:http, without a framework. */
export function createReceiver(options: ReceiverOptions): RequestListener {
  return (request, response) => {
    receive(request, response, options).catch((error: unknown) => {
      // the sender disconnected during its body, so there is nobody to answer
      if (!request.complete) return;
      console.error(error);
      answer(response, 500);
    });
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { secret, inbox }: ReceiverOptions,
): Promise<void> {
  if (request.url?.split("?")[0] !== webhookPath) return answer(response, 404);
  if (request.method !== "POST") return answer(response.setHeader("Allow", "POST"), 405);
  const body = await readBody(request);
  if (body === null) return;
  try {
    inbox.keep(await parseWebhook(request.headers, body, { secret }));
    answer(response, 204);
  } catch (error) {
    if (!isWebhookParseError(error)) throw error;
    answer(response, error.status, error.message);
  }
}

/**
 * Reads the body up to one chunk over the limit, so that parseWebhook rejects it as too large. The rest is read and
 * dropped, because a sender reads the answer only after it has sent everything. For an endless body, it closes the
 * connection and returns null.
 */
async function readBody(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    if (size <= webhookBodyBytesMax) chunks.push(chunk);
    size += chunk.length;
    if (size > 16 * webhookBodyBytesMax) {
      request.socket.destroy();
      return null;
    }
  }
  return Buffer.concat(chunks);
}

function answer(response: ServerResponse, status: number, message = ""): void {
  response.statusCode = status;
  response.setHeader("Content-Type", "text/plain; charset=utf-8").end(message);
}

if (import.meta.main) {
  createServer(serverLimits, createReceiver(readOptions())).listen(port, "127.0.0.1");
}
