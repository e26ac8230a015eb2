import { serve } from "@hono/node-server";
import { createTestDelivery } from "@belfry/webhook-schema/testing";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import type { WebhookPayload } from "@belfry/webhook-schema";
import * as express from "../express.ts";
import * as hono from "../hono.ts";
import { type Handle, Inbox } from "../inbox.ts";
import * as nodeHttp from "../node-http.ts";
import { type ReceiverOptions, type serverLimits, webhookPath } from "../options.ts";
import * as webRequest from "../web-request.ts";

export const secret = `whsec_${Buffer.alloc(32, "receiver").toString("base64")}`;
export const newerSecret = `whsec_${Buffer.alloc(32, "newer").toString("base64")}`;

/** The example's limits, but shorter. Express reads a body to its end; the others disconnect by themselves. */
const limits: typeof serverLimits = { requestTimeout: 1_000, connectionsCheckingInterval: 100 };
const onNode = (listener: RequestListener, within: Partial<typeof limits> = {}): Server =>
  createServer(within, listener).listen(0, "127.0.0.1");
const onWeb = (fetch: (request: Request) => Response | Promise<Response>): Server =>
  serve({ fetch, port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false }) as Server;

/** Each example on a real socket. */
export const receivers: Readonly<Record<string, (options: ReceiverOptions) => Server>> = {
  "node:http": (options) => onNode(nodeHttp.createReceiver(options)),
  Express: (options) => onNode(express.createReceiver(options), limits),
  Hono: (options) => onWeb(hono.createReceiver(options).fetch),
  "a web Request": (options) => onWeb(webRequest.createReceiver(options)),
};

export interface StartOptions {
  readonly handle?: Handle;
}

/** Starts a receiver with its own inbox. `handled` contains the processed payloads in order. */
export async function startReceiver(name: string, { handle }: StartOptions = {}) {
  const dir = await tempDir();
  const handled: WebhookPayload[] = [];
  const work: Handle = handle ?? ((payload) => void handled.push(payload));
  const path = join(dir.path, "inbox.db");
  const inbox = new Inbox(path, work);
  const server = receivers[name]!({ secret: [secret, newerSecret], inbox });
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${webhookPath}`,
    port,
    path,
    handled,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      inbox[Symbol.dispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Sends a signed delivery, with the given errors. */
export async function deliver(url: string, { headers = {}, ...wrong }: Wrong = {}): Promise<Response> {
  const delivery = await createTestDelivery({ secret, ...wrong.delivery });
  const sent = new Headers({ ...delivery.headers, ...headers });
  for (const name of wrong.without ?? []) sent.delete(name);
  const body = wrong.change?.(delivery.body) ?? delivery.body;
  // fetch requires it for a stream body
  const stream = { duplex: "half" as const };
  return fetch(url, { method: wrong.method ?? "POST", headers: sent, body, ...stream });
}

export interface Wrong {
  readonly delivery?: Parameters<typeof createTestDelivery>[0];
  readonly headers?: Readonly<Record<string, string>>;
  readonly without?: readonly string[];
  readonly method?: string;
  readonly change?: (body: string) => NonNullable<RequestInit["body"]>;
}
