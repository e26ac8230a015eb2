import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { readOptions, type ReceiverOptions, serverLimits, webhookPath } from "./options.ts";
import * as webRequest from "./web-request.ts";

/**
 * A receiver on Hono, on any runtime. It needs the unread web request, so no middleware before it may read the body.
 * `bodyLimit` fails on Node if the adapter may not replace the global `Request`.
 */
export function createReceiver(options: ReceiverOptions): Hono {
  const receive = webRequest.createReceiver(options);
  const app = new Hono();
  app.post(webhookPath, (context) => receive(context.req.raw));
  return app;
}

if (import.meta.main) {
  const { fetch } = createReceiver(readOptions());
  serve({ fetch, port: 8080, hostname: "127.0.0.1", serverOptions: serverLimits });
}
