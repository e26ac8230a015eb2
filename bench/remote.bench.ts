import { tempDir } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync } from "node:fs";
import { Agent as HttpAgent } from "node:http";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { freePlace } from "../packages/server/tests/support/ports.ts";
import { callRemote, type RemoteCaller } from "../packages/server/tests/support/remote.ts";
import { type Daemon, startDaemon } from "./daemon.ts";
import { send } from "./load.ts";
import { root, startServer } from "./processes.ts";
import { ratioOf, type Result } from "./result.ts";
import { inTurn, percentile } from "./stats.ts";

const rounds = 12;
const clients = 16;
const readsARound = 4_000;
const streams = 1_000;
const streamRounds = 5;
const changesARound = 1_000;

const config = `[remote.limits]
requests_per_second = 1000000
requests_burst = 1000000
connections = 5000
connections_per_credential = 5000
unauthenticated_connections = 1000
unauthenticated_connections_per_address = 1000
`;

/** Compares a read over TLS with a bare server, and measures how much a thousand remote streams slow down a change. */
export async function benchRemote(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  await using daemon = await startDaemon(join(dir.path, "data"), config);
  const { port } = await freePlace();
  await daemon.call("POST", "/v1/remote/enable", { host: "127.0.0.1", port });
  const folder = join(daemon.dataDir, "remote");
  const caller = { ca: readFileSync(join(folder, "root.pem"), "utf8"), port };
  const token = await enroll(daemon, caller);
  return [await benchReads(daemon, { caller, token, dir: dir.path }), await benchStreams(daemon, { caller, token })];
}

async function enroll(daemon: Daemon, caller: RemoteCaller): Promise<string> {
  const pairing = { name: "bench", capability: "observe" };
  const { pairing_id, phrase, daemon_id } = await daemon.call("POST", "/v1/access/pairings", pairing);
  const body = { pairing_id, phrase, daemon_id };
  const { json, text } = await callRemote(caller, { method: "POST", path: "/api/v1/enroll", body });
  if (typeof json.access_token !== "string") throw new Error(`could not enrol: ${text}`);
  return json.access_token;
}

async function benchReads(
  daemon: Daemon,
  { caller, token, dir }: { readonly caller: RemoteCaller; readonly token: string; readonly dir: string },
): Promise<Result> {
  const command = { kind: "exec", program: "/bin/true", arguments: [] };
  const { id } = await daemon.call("POST", "/v1/tasks", { name: "read me", command, timeout: "5m" });
  copyFileSync(join(daemon.dataDir, "belfry.db"), join(dir, "bare.db"));
  copyFileSync(join(daemon.dataDir, "belfry.db-wal"), join(dir, "bare.db-wal"));
  const { port } = await freePlace();
  const ready = join(dir, "bare.sock");
  const program = join(root, "bench/bare-tls-server.ts");
  await using _bare = await startServer(
    [program, join(dir, "bare.db"), join(daemon.dataDir, "remote"), String(port), ready],
    ready,
    join(dir, "bare.log"),
  );
  const path = `/api/v1/tasks/${id}`;
  const bareCaller = { ...caller, port };
  const [ours, bare]: [number[], number[]] = [[], []];
  await read(caller, { path, token });
  await read(bareCaller, { path, token });
  for (let round = 0; round < rounds; round++)
    for (const side of inTurn(round, [
      { caller, rates: ours },
      { caller: bareCaller, rates: bare },
    ]))
      side.rates.push(await read(side.caller, { path, token }));
  return ratioOf({
    name: "one task read over TLS, with an access token",
    baseline: "bare node:https with the same SQLite read, without one",
    unit: "requests/s",
    atLeast: 0.6,
    ours,
    bare,
  });
}

/** Reads over kept connections; returns the rate per second. */
async function read(
  { ca, port }: RemoteCaller,
  { path, token }: { readonly path: string; readonly token: string },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients, ca, servername: "localhost" });
  const headers = { authorization: `Bearer ${token}` };
  const readOnce = (): Promise<void> =>
    new Promise((resolve, reject) => {
      request({ host: "127.0.0.1", port, path, headers, agent }, (incoming) => {
        incoming.resume().on("end", () => {
          if (incoming.statusCode === 200) resolve();
          else reject(new Error(`${path}: ${incoming.statusCode}`));
        });
      })
        .on("error", reject)
        .end();
    });
  // the handshakes are not measured
  await Promise.all(Array.from({ length: clients }, readOnce));
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent++ < readsARound) await readOnce();
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - from) / 1_000;
  agent.destroy();
  return readsARound / seconds;
}

async function benchStreams(
  daemon: Daemon,
  { caller, token }: { readonly caller: RemoteCaller; readonly token: string },
): Promise<Result> {
  const { id } = await daemon.call("POST", "/v1/groups", { name: "changed" });
  const path = `/v1/groups/${id}`;
  await change(daemon.socket, path);
  const [alone, withStreams]: [number[], number[]] = [[], []];
  for (let round = 0; round < streamRounds; round++) {
    alone.push(await change(daemon.socket, path));
    await using _streams = await openStreams(daemon, { caller, token });
    await change(daemon.socket, path);
    withStreams.push(await change(daemon.socket, path));
  }
  return ratioOf({
    name: `a change's p99 while ${streams} idle streams are open over TLS`,
    baseline: "the same without them",
    unit: "ms",
    atMost: 2,
    ours: withStreams,
    bare: alone,
  });
}

async function openStreams(
  daemon: Daemon,
  { caller, token }: { readonly caller: RemoteCaller; readonly token: string },
): Promise<AsyncDisposable> {
  const rootPath = join(daemon.dataDir, "remote/root.pem");
  const program = join(root, "bench/remote-listeners.ts");
  const child = spawn(process.execPath, [program, rootPath, String(caller.port), token, String(streams)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  if (child.exitCode !== null) throw new Error(`the streams ended with ${child.exitCode}`);
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** Sends changes one after another; returns the 99th percentile of their durations, in milliseconds. */
async function change(socketPath: string, path: string): Promise<number> {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });
  const took: number[] = [];
  for (let sent = 0; sent < changesARound; sent++) {
    const from = performance.now();
    await send(socketPath, agent, { method: "PATCH", path, body: JSON.stringify({ description: `change ${sent}` }) });
    took.push(performance.now() - from);
  }
  agent.destroy();
  return percentile(
    took.sort((a, b) => a - b),
    99,
  );
}
