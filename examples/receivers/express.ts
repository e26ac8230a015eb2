import { isWebhookParseError, parseWebhook, webhookBodyBytesMax } from "@belfry/webhook-schema";
import express, { type ErrorRequestHandler, type Express } from "express";
import { createServer } from "node:http";
import { readOptions, type ReceiverOptions, serverLimits, webhookPath } from "./options.ts";

/** A receiver on Express. The raw body comes first: mount it before any `express.json()`, whose output no signature fits. */
export function createReceiver({ secret, inbox }: ReceiverOptions): Express {
  const app = express();
  // of any type, so that a wrong one is refused in one place; a body that is compressed is not what was signed
  const rawBody = express.raw({ type: () => true, limit: webhookBodyBytesMax, inflate: false });

  app.post(webhookPath, rawBody, async (request, response) => {
    // without a body there is none, not an empty one
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
    // of express.raw: too large, compressed, or cut short
    response.status(error.status).end();
  } else {
    next(error);
  }
};

function isHttpError(error: unknown): error is { status: number } {
  return error instanceof Error && "status" in error && typeof error.status === "number" && error.status < 500;
}

if (import.meta.main) {
  // not app.listen: express.raw reads what is too long to its end, and an end must come
  createServer(serverLimits, createReceiver(readOptions())).listen(8080, "127.0.0.1");
}
