import { tempDir, until } from "@belfry/test-kit";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Client } from "../src/index.ts";
import { connectLocal, type LocalOptions } from "../src/local.ts";

export interface Seen {
  readonly method: string;
  /** The path without `/v1`, with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The answer: JSON with a status, or a function that writes the response. */
export type Reply = { readonly status?: number; readonly json?: unknown } | Respond;
export type Respond = (response: ServerResponse) => void;

export interface FakeDaemon extends AsyncDisposable {
  readonly socketPath: string;
  /** All requests in order, except those for the manifest. */
  readonly seen: readonly Seen[];
  /** Creates a client that retries without a delay. */
  readonly connect: (options?: LocalOptions) => Client;
  /** Waits until no connection is open, and returns true. */
  readonly allClosed: () => Promise<boolean>;
}

export const manifest = {
  installation_id: "ins_4fzH1TqWb8YkV0c2LxNd",
  display_name: "Belfry",
  product_version: "1.4.0",
  protocol_versions: { local: "v1", remote: null },
  operating_mode: "local_only",
  capabilities: [],
  platform: { os: "linux", arch: "x64", runtime: "node 24.0.0" },
  revision: 1,
} as const;

/** A real HTTP server on a real socket. `answer` returns the answer to a request, or null for the manifest. */
export async function fakeDaemon(answer: (request: Seen) => Reply | null): Promise<FakeDaemon> {
  const dir = await tempDir();
  const socketPath = join(dir.path, "belfry.sock");
  const seen: Seen[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? "").replace(/^\/v1/, "");
    const now = { method: request.method ?? "", path, headers: request.headers, body: await text(request) };
    const reply = answer(now) ?? { json: manifest };
    if (path !== "/manifest" || now.method !== "GET") seen.push(now);
    response.setHeader("x-request-id", `req_${seen.length}`);
    if (typeof reply === "function") return reply(response);
    response.writeHead(reply.status ?? 200, { "content-type": "application/json" });
    response.end(reply.json === undefined ? undefined : JSON.stringify(reply.json));
  };
  // the client of an aborted request is gone
  const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    socketPath,
    seen,
    connect: (options) => connectLocal({ socketPath, delayMs: () => 0, ...options }),
    allClosed: () => until("every connection is closed", async () => (await countConnections(server)) === 0),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dir[Symbol.asyncDispose]();
    },
  };
}

export function errorReply(code: string, status: number, field: string | null = null): Reply {
  return { status, json: { error: { code, field, message: `refused with ${code}` } } };
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
