import { isWebhookParseError, parseWebhook, webhookBodyBytesMax } from "@belfry/webhook-schema";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { readOptions, type ReceiverOptions, serverLimits, webhookPath } from "./options.ts";

/** A receiver on Hono, on whatever Hono runs on. */
export function createReceiver({ secret, inbox }: ReceiverOptions): Hono {
  const app = new Hono();
  const limit = bodyLimit({ maxSize: webhookBodyBytesMax, onError: (context) => context.body(null, 413) });

  app.post(webhookPath, limit, async (context) => {
    inbox.keep(await parseWebhook(context.req.raw.headers, await context.req.arrayBuffer(), { secret }));
    return context.body(null, 204);
  });
  app.onError((error, context) => {
    if (isWebhookParseError(error)) return context.text(error.message, error.status);
    console.error(error);
    return context.body(null, 500);
  });
  return app;
}

if (import.meta.main) {
  const { fetch } = createReceiver(readOptions());
  serve({ fetch, port: 8080, hostname: "127.0.0.1", serverOptions: serverLimits });
}
