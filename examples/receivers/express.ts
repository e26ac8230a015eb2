import { isWebhookParseError, parseWebhook, webhookBodyBytesMax } from "@belfry/webhook-schema";
import express, { type ErrorRequestHandler, type Express } from "express";
import { createServer } from "node:http";
import { port, readOptions, type ReceiverOptions, serverLimits, webhookPath } from "./options.ts";

/** A receiver on Express. It needs the raw body, so mount it before any `express.json()`: a parsed body matches no signature. */
export function createReceiver({ secret, inbox }: ReceiverOptions): Express {
  const app = express();
  // any content type, because parseWebhook rejects wrong ones; no inflating, because the signature covers the sent bytes
  const rawBody = express.raw({ type: () => true, limit: webhookBodyBytesMax, inflate: false });

  app.post(webhookPath, rawBody, async (request, response) => {
    // without a body, express.raw leaves it undefined
    const body = (request.body ?? "") as Uint8Array | "";
    inbox.keep(await parseWebhook(request.headers, body, { secret }));
    response.status(204).end();
  });
  app.use(answerError);
  return app;
}

const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (isWebhookParseError(error)) {
    response.status(error.status).type("text/plain").send(error.message);
  } else if (isHttpError(error)) {
    // from express.raw: too large, compressed, or truncated
    response.status(error.status).end();
  } else {
    next(error);
  }
};

function isHttpError(error: unknown): error is { status: number } {
  return error instanceof Error && "status" in error && typeof error.status === "number" && error.status < 500;
}

if (import.meta.main) {
  // not app.listen: express.raw reads a body that is too long to its end, so the server needs a time limit
  createServer(serverLimits, createReceiver(readOptions())).listen(port, "127.0.0.1");
}
