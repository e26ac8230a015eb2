import { isWebhookParseError, parseWebhook, webhookBodyBytesMax } from "@belfry/webhook-schema";
import type { ReceiverOptions } from "./options.ts";

/**
 * A receiver for everything that handles web requests: a route of Next.js (`export const POST = createReceiver(...)`
 * in `app/webhooks/belfry/route.ts`), Deno, Bun, or a Worker.
 */
export function createReceiver({ secret, inbox }: ReceiverOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { Allow: "POST" } });
    try {
      inbox.keep(await parseWebhook(request.headers, await readBody(request), { secret }));
      return new Response(null, { status: 204 });
    } catch (error) {
      // any other error becomes a 500 of the server, and the daemon tries again
      if (!isWebhookParseError(error)) throw error;
      return new Response(error.message, { status: error.status });
    }
  };
}

/** Reads the body up to one chunk over the limit, so that parseWebhook rejects it as too large. */
async function readBody({ body }: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > webhookBodyBytesMax) break;
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
