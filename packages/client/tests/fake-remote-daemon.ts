import { until } from "@belfry/test-kit";
import { formatInvitation, serverNameOf } from "@belfry/contract";
import { createHash, X509Certificate } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { Certificate, PrivateCa } from "../../server/tests/support/certificates.ts";
import { freePlace } from "../../server/tests/support/ports.ts";
import { connectRemote, type RemoteClient, type RemoteOptions, type RemoteProfile } from "../src/remote.ts";
import { manifest } from "./fake-daemon.ts";

export const daemonId = manifest.installation_id;
export const accessToken = `bat_Xk3Wd8Lv_${"s".repeat(43)}`;
export const phrase = "canopy-drizzle-mosaic-pebble-tundra-violin";
export const pairingId = "par_Wd5Kz8QmTx2Rv7JbNc4H";

export const remoteManifest = { ...manifest, capabilities: ["events", "remote_api_v1"] };
export const currentAccess = {
  actor_id: "act_1",
  actor_name: "Laptop",
  credential_id: "crd_1",
  capability: "operate",
  expires_at: null,
};
export const enrollment = {
  daemon_id: daemonId,
  actor_id: "act_1",
  credential_id: "crd_1",
  capability: "operate",
  access_token: accessToken,
  expires_at: null,
};

export interface RemoteSeen {
  readonly method: string;
  /** The path without `/api/v1`, with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The number of the connection, from 1. */
  readonly connection: number;
}

/** The answer: JSON with a status, or a function that writes the response. */
export type RemoteReply = { readonly status?: number; readonly json?: unknown } | ((response: ServerResponse) => void);

export interface FakeRemote extends AsyncDisposable {
  readonly address: string;
  /** All requests in order, checks included. */
  readonly seen: readonly RemoteSeen[];
  /** Whether each connection resumed a TLS session, in order. */
  readonly resumed: readonly boolean[];
  readonly setSecureContext: Server["setSecureContext"];
  readonly openConnections: () => number;
  /** Breaks all connections. */
  readonly cut: () => void;
}

export type Answer = (request: RemoteSeen) => RemoteReply | null;

/**
 * A real HTTPS server on 127.0.0.1. `answer` returns the answer to a request, or null for the default. Once it has
 * closed, nobody else listens on its port.
 */
export async function fakeRemote(tls: ServerOptions, answer: Answer = () => null, given?: number): Promise<FakeRemote> {
  const port = given ?? (await freePlace()).port;
  const seen: RemoteSeen[] = [];
  const resumed: boolean[] = [];
  const numbers = new Map<Socket, number>();
  const open = new Set<Socket>();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? "").replace(/^\/api\/v1/, "");
    const connection = numbers.get(request.socket) ?? 0;
    const now = { method: request.method ?? "", path, headers: request.headers, body: await text(request), connection };
    seen.push(now);
    const reply = answer(now) ?? { json: defaultAnswer(now) };
    if (typeof reply === "function") return reply(response);
    const body = reply.json === undefined ? "" : JSON.stringify(reply.json);
    response.writeHead(reply.status ?? (path === "/enroll" ? 201 : 200), {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "x-request-id": `req_${seen.length}`,
    });
    response.end(body);
  };
  const server = createServer({ minVersion: "TLSv1.3", ...tls }, (request, response) => {
    void respond(request, response).catch(() => response.destroy());
  });
  server.on("tlsClientError", () => undefined);
  server.on("secureConnection", (socket: TLSSocket) => {
    resumed.push(socket.isSessionReused());
    numbers.set(socket, resumed.length);
  });
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    address: `127.0.0.1:${portOf(server)}`,
    seen,
    resumed,
    setSecureContext: (options) => server.setSecureContext(options),
    openConnections: () => open.size,
    cut,
    [Symbol.asyncDispose]: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function defaultAnswer({ path }: RemoteSeen): unknown {
  switch (path) {
    case "/manifest":
      return remoteManifest;
    case "/access/current":
      return currentAccess;
    case "/enroll":
      return enrollment;
    case "/health":
      return { status: "ok" };
    default:
      return { id: "tsk_1", revision: 1 };
  }
}

export interface Impostor extends AsyncDisposable {
  readonly address: string;
  /** Attempts to connect. */
  readonly attempts: () => number;
  /** Everything that clients sent inside TLS. */
  readonly received: () => Buffer;
  readonly untilAttempt: () => Promise<boolean>;
}

/** A server that records every byte that it can decrypt, and answers nothing. */
export async function startImpostor(tls: ServerOptions): Promise<Impostor> {
  const received: Buffer[] = [];
  let attempts = 0;
  let ended = 0;
  const server = createTlsServer(tls, (socket) => {
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    socket.on("error", () => undefined);
  });
  server.on("tlsClientError", () => undefined);
  server.on("connection", (socket) => {
    attempts += 1;
    socket.on("close", () => (ended += 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    attempts: () => attempts,
    received: () => Buffer.concat(received),
    untilAttempt: () => until("the client has gone", () => attempts > 0 && ended === attempts),
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The certificate of the daemon: for the name that clients check. */
export function daemonLeaf(ca: PrivateCa, how?: Parameters<PrivateCa["issue"]>[1]): Certificate {
  return ca.issue([`DNS:${serverNameOf(daemonId)}`, "DNS:localhost", "IP:127.0.0.1"], how);
}

export function profileOf(root: string, ...addresses: readonly string[]): RemoteProfile {
  return {
    addresses,
    daemonId,
    trust: { kind: "root", certificate: root },
    credentialId: "crd_1",
    actorId: "act_1",
    capability: "operate",
    accessToken,
  };
}

/** Creates a client that retries without a delay. */
export function connectTo(profile: RemoteProfile, options?: RemoteOptions): RemoteClient {
  return connectRemote(profile, { delayMs: () => 0, ...options });
}

export function invitationTo(root: string, ...addresses: readonly string[]): string {
  const certificate = new Uint8Array(new X509Certificate(root).raw);
  return formatInvitation({ pairingId, daemonId, addresses, trust: { kind: "root", certificate } });
}

/** The fingerprint by which a client pins the key of a certificate. */
export function publicKeySha256(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("hex");
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
