import { type Capability, parseInvitation } from "@belfry/contract";
import { until } from "@belfry/test-kit";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { type Answer, answerOf, type Json } from "./harness.ts";
import type { DaemonProcess } from "./processes/daemon-process.ts";
import { fresh } from "./api.ts";

/** Limits that no test reaches by accident. */
export const raisedLimits = `
[remote.limits]
enrollments_per_minute = 1000000
public_requests_per_minute = 1000000
requests_per_second = 1000000
requests_burst = 1000000
unauthenticated_connections = 1000
unauthenticated_connections_per_address = 1000
`;

/** A port of this machine that nothing listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  await server[Symbol.asyncDispose]();
  return port;
}

/** Writes the configuration of a daemon with the remote API, for its next start. Returns the port. */
export async function configureRemote(
  dataDir: string,
  more = raisedLimits,
  { host = "127.0.0.1", port: given }: { readonly host?: string; readonly port?: number } = {},
): Promise<number> {
  const port = given ?? (await freePort());
  await writeFile(
    join(dataDir, "config.toml"),
    `[remote]\nenabled = true\nhost = "${host}"\nport = ${port}\nadvertise = []\n${more}`,
    { mode: 0o600 },
  );
  return port;
}

/** Far above what an answer takes on a busy machine. */
const answerTimeoutMs = 60_000;

export interface RemoteCall {
  readonly method?: string;
  readonly path: string;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly token?: string;
  readonly agent?: Agent;
}

/** Sends one request over TLS, verified with the daemon's own root, and reads the answer. Streams end after their headers. */
export function callRemote(daemon: Pick<DaemonProcess, "dataDir">, port: number, of: RemoteCall): Promise<Answer> {
  const { method = "GET", path, token } = of;
  const body = method === "HEAD" ? undefined : of.body;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const headers = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...("transfer-encoding" in (of.headers ?? {}) ? {} : length),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...of.headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, method, path, headers, ca: rootOf(daemon), agent: of.agent ?? false },
      (incoming) => {
        const parts: Buffer[] = [];
        const { statusCode: status = 0, headers: answered } = incoming;
        const withoutBody = { status, headers: answered, text: "", json: {} };
        if (answered["content-type"] === "text/event-stream") {
          resolve(withoutBody);
          return void incoming.destroy();
        }
        if (method === "HEAD") return void incoming.resume().on("end", () => resolve(withoutBody));
        incoming.on("data", (part: Buffer) => parts.push(part)).on("error", reject);
        incoming.on("end", () => resolve(answerOf(incoming, Buffer.concat(parts).toString("utf8"))));
      },
    );
    outgoing.setTimeout(answerTimeoutMs, () => outgoing.destroy(new Error(`no answer to ${method} ${path}`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** The root that the daemon made, as PEM. */
export function rootOf({ dataDir }: Pick<DaemonProcess, "dataDir">): string {
  return readFileSync(join(dataDir, "remote", "root.pem"), "utf8");
}

/** Pairs and enrols a new actor, as a client does; returns its answer, with the token. */
export async function enrol(
  daemon: Pick<DaemonProcess, "call" | "dataDir">,
  port: number,
  capability: Capability = "enroll",
): Promise<Json> {
  const pairing = await daemon.call("POST", "/v1/access/pairings", { name: fresh("remote actor"), capability });
  if (pairing.status !== 201) throw new Error(`no pairing: ${pairing.text}`);
  const { pairing_id, phrase, daemon_id, invitation } = pairing.json;
  if (parseInvitation(invitation)?.pairingId !== pairing_id) throw new Error(`not an invitation: ${invitation}`);
  const answer = await callRemote(daemon, port, {
    method: "POST",
    path: "/api/v1/enroll",
    body: JSON.stringify({ pairing_id, phrase, daemon_id }),
  });
  if (answer.status !== 201) throw new Error(`not enrolled: ${answer.text}`);
  return answer.json;
}

/** Waits until the daemon listens for remote callers. */
export function untilListening(daemon: Pick<DaemonProcess, "call">): Promise<unknown> {
  return until("the remote API", async () => {
    const { json } = await daemon.call("GET", "/v1/remote");
    return json.listening === true ? json : null;
  });
}
