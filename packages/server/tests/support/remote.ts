import type { Capability } from "@belfry/contract";
import BetterSqlite from "better-sqlite3";
import { readFileSync, writeFileSync } from "node:fs";
import { type Agent, request } from "node:https";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createToken } from "../../src/features/access/token.ts";
import { defaultRemote, defaultRemoteLimits, type RemoteLimits } from "../../src/kernel/config/remote-config.ts";
import { newId } from "../../src/kernel/ids.ts";
import { makeActor } from "./api.ts";
import { freePlace } from "./ports.ts";
import { type Answer, answerOf, type Harness, type HarnessOptions, type Json, startDaemon } from "./harness.ts";
import type { RemoteListener } from "../../src/features/remote/index.ts";

/** Replaces the configuration file of a daemon that is running. */
export function writeConfig({ dataDir }: { readonly dataDir: string }, text: string): void {
  writeFileSync(join(dataDir, "config.toml"), text);
}

/** A listener without a port, for tests without sockets. */
export function simulatedListener(): RemoteListener {
  let isListening = false;
  return {
    open: () => {
      isListening = true;
      return Promise.resolve({ activate: () => {}, undo: () => Promise.resolve(void (isListening = false)) });
    },
    renew: () => {},
    close: () => Promise.resolve(void (isListening = false)),
    isListening: () => isListening,
    countConnections: () => 0,
  };
}

/** A caller of the remote API, who trusts one root and nothing else. */
export interface RemoteCaller {
  readonly ca: string;
  readonly port: number;
}

export interface RemoteRequest {
  readonly method?: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Without it, the request has a connection of its own. */
  readonly agent?: Agent;
  /** Another address of this machine, which counts as another client. */
  readonly localAddress?: string;
  /** Ends a stream after its headers. Otherwise a stream is read until the daemon ends it. */
  readonly endsAtHead?: boolean;
  /** Called with each part of the answer. */
  readonly onPart?: () => void;
}

/** The daemon ends a handshake after 5 s: one that fails before this time has another reason. */
export const handshakeMs = 4_000;

/** Sends one request over TLS, and reads the answer completely. Begins again if the daemon did not wait for its handshake. */
export async function callRemote(caller: RemoteCaller, of: RemoteRequest): Promise<Answer> {
  for (;;) {
    const start = performance.now();
    const answer = await callOnce(caller, of);
    if (answer !== "no handshake") return answer;
    if (performance.now() - start < handshakeMs) throw new Error("the daemon closed the connection in its handshake");
  }
}

/** The connections whose handshake is over. */
const shaken = new WeakSet<Socket>();

function callOnce({ ca, port }: RemoteCaller, of: RemoteRequest): Promise<Answer | "no handshake"> {
  return new Promise((resolve, reject) => {
    const body = of.body === undefined ? null : typeof of.body === "string" ? of.body : JSON.stringify(of.body);
    const headers: Record<string, string | string[]> = {
      ...(body === null ? {} : { "content-type": "application/json" }),
      // Node's client sends a body without its length with methods that rarely have one
      ...(body === null || "transfer-encoding" in (of.headers ?? {})
        ? {}
        : { "content-length": String(Buffer.byteLength(body)) }),
      ...(of.token === undefined ? {} : { authorization: `Bearer ${of.token}` }),
      ...of.headers,
    };
    const { method = "GET", path, agent = false, localAddress } = of;
    const from = localAddress === undefined ? {} : { localAddress };
    const outgoing = request(
      { host: "127.0.0.1", port, ca, servername: "localhost", method, path, headers, agent, ...from },
      (incoming) => {
        if (of.endsAtHead === true && incoming.headers["content-type"] === "text/event-stream") {
          resolve(answerOf(incoming, ""));
          return void incoming.destroy();
        }
        const parts: Buffer[] = [];
        incoming.on("data", (part: Buffer) => {
          parts.push(part);
          of.onPart?.();
        });
        incoming.on("error", reject).on("end", () => {
          const { statusCode = 0, headers: answered } = incoming;
          const text = Buffer.concat(parts).toString("utf8");
          // the headers of HEAD describe a body that is not sent
          resolve(
            method === "HEAD" ? { status: statusCode, headers: answered, text, json: {} } : answerOf(incoming, text),
          );
        });
      },
    );
    outgoing.on("socket", (socket) => {
      if (!shaken.has(socket)) socket.once("secureConnect", () => shaken.add(socket));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const isShaken = outgoing.socket !== null && shaken.has(outgoing.socket);
      if (error.code === "ECONNRESET" && !isShaken) resolve("no handshake");
      else reject(error);
    });
    outgoing.end(body ?? undefined);
  });
}

/** The daemon's root, as its clients know it. */
export function rootOf({ dataDir }: Pick<Harness, "dataDir">): string {
  return readFileSync(join(dataDir, "remote", "root.pem"), "utf8");
}

/** A credential of a new actor with its token, written without the daemon. */
export async function makeToken(
  daemon: Harness,
  capability: Capability = "enroll",
): Promise<{ readonly token: string; readonly credentialId: string; readonly actor: Json }> {
  const actor = await makeActor(daemon, { capability });
  const credentialId = newId("crd");
  const { token, stored } = createToken();
  const sqlite = new BetterSqlite(join(daemon.dataDir, "belfry.db"));
  try {
    const insert = sqlite.prepare(
      `INSERT INTO credentials (id, actor_id, display_name, kind, public_part, salt, token_hash, created_at)
       VALUES (?, ?, 'laptop', 'cli', ?, ?, ?, 0)`,
    );
    insert.run(credentialId, actor.id, stored.publicPart, stored.salt, stored.tokenHash);
  } finally {
    sqlite.close();
  }
  return { token, credentialId, actor };
}

export interface RemoteOptions extends HarnessOptions {
  readonly limits?: Partial<RemoteLimits>;
}

function limitsSection(limits: Partial<RemoteLimits>): string {
  const wireName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const lines = Object.entries(limits).map(([name, value]) => `${wireName(name)} = ${value}\n`);
  return `[remote.limits]\n${lines.join("")}`;
}

/** A real daemon with its remote API on a free port of 127.0.0.1. */
export async function startRemoteDaemon({ limits, ...options }: RemoteOptions = {}) {
  const remote = { ...defaultRemote, limits: { ...defaultRemoteLimits, ...limits } };
  const daemon = await startDaemon({ ...options, config: { remote, ...options.config } });
  // the configuration file, which the daemon reads again, has the limits too
  writeConfig(daemon, limitsSection(limits ?? {}));
  const { host, port } = await freePlace();
  const { status, text } = await daemon.call("POST", "/v1/remote/enable", { host, port });
  if (status !== 200) throw new Error(`could not enable: ${text}`);
  const caller = { ca: rootOf(daemon), port };
  return { ...daemon, ...caller, remote: (of: RemoteRequest) => callRemote(caller, of) };
}

export type RemoteDaemon = Awaited<ReturnType<typeof startRemoteDaemon>>;
