import { type ManualClock, tempDir } from "@belfry/test-kit";
import { readdir, readFile } from "node:fs/promises";
import { type Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { type Clock, type Config, createDaemon, type Log, silentLog, systemClock } from "../../src/index.ts";
import { readOwnAccount } from "../../src/kernel/config/own-account.ts";
import { defaultRemote } from "../../src/kernel/config/remote-config.ts";
import { choosePaths } from "../../src/kernel/files/paths.ts";
import { readClaim } from "../../src/runner/claims/claim.ts";
import { isAlive, type RunnerIdentity } from "../../src/runner/identity.ts";
import { stopLeftovers } from "../../src/runner/processes/leftovers.ts";
import { Scanner } from "../../src/runner/processes/scanner.ts";
import { liveFolder, runnersFolder } from "../../src/runner/places.ts";

export interface HarnessOptions {
  readonly clock?: Clock | ManualClock;
  readonly config?: Partial<Config>;
  readonly bootId?: string;
  /** The id of its machine; null if it is left out. */
  readonly machineId?: string | null;
  readonly log?: Log;
  /** A former daemon's directory, with its files. */
  readonly dataDir?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  readonly json: Json;
}

/** The tests know the members of an answer; the compiler does not. */
export type Json = any;

export type Harness = Awaited<ReturnType<typeof startDaemon>>;

/** A real daemon with its runner, on its own directory: `await using daemon = await startDaemon()`. */
export async function startDaemon(options: HarnessOptions = {}) {
  const dir = options.dataDir === undefined ? await tempDir("bf-") : null;
  const dataDir = options.dataDir ?? dir!.path;
  const config = testConfig(dataDir, options.config);
  const daemon = await createDaemon({
    config,
    clock: options.clock ?? systemClock,
    log: options.log ?? silentLog,
    version: "1.4.0-test",
    umask: 0o022,
    bootId: options.bootId ?? "test-boot",
    machineId: options.machineId ?? null,
  });
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    callSocket(config.paths.socket, { method, path, body, headers });
  return {
    dataDir,
    config,
    socketPath: config.paths.socket,
    call,
    rounds: daemon.rounds,
    stop: daemon.stop,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await daemon.stop();
      await endRunners(dataDir);
      await dir?.[Symbol.asyncDispose]();
    },
  };
}

function testConfig(dataDir: string, more: Partial<Config> = {}): Config {
  const paths = choosePaths({ dataDir, socket: null, config: null, runtimeDir: null, isRoot: false });
  return {
    paths,
    logLevel: "error",
    runsAtOnceMax: 8,
    holdWhenMoved: true,
    zone: "UTC",
    baseEnvironment: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp" },
    account: readOwnAccount(),
    homeDirectory: "/tmp",
    webhooks: { denyPrivate: false, ca: null, dnsServers: null },
    remote: defaultRemote,
    fireSocket: null,
    configuredFiles: [],
    ...more,
  };
}

/** Sends one request over a socket, and reads the answer completely. A string body is sent unchanged. */
export function callSocket(
  socketPath: string,
  of: {
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
    /** Keeps connections open, for tests with many requests. */
    readonly agent?: Agent;
  },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const body = of.body === undefined ? null : typeof of.body === "string" ? of.body : JSON.stringify(of.body);
    const headers = { ...(body === null ? {} : { "content-type": "application/json" }), ...of.headers };
    const { method, path, agent } = of;
    const outgoing = request({ socketPath, method, path, headers, ...(agent ? { agent } : {}) }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part)).on("error", reject);
      incoming.on("end", () => {
        resolve(answerOf(incoming, Buffer.concat(parts).toString("utf8")));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body ?? undefined);
  });
}

/** The answer, with the text received so far. */
export function answerOf({ statusCode = 0, headers }: IncomingMessage, text: string): Answer {
  const isJson = headers["content-type"]?.startsWith("application/json") === true;
  return { status: statusCode, headers, text, json: isJson ? JSON.parse(text) : {} };
}

/** Ends the remaining runners and tasks of a test: by claim and identity, nothing else. */
export async function endRunners(dataDir: string): Promise<void> {
  const folder = runnersFolder(dataDir);
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(".json")) continue;
    const identity = JSON.parse(
      await readFile(join(folder, name), "utf8").catch(() => "null"),
    ) as RunnerIdentity | null;
    if (identity !== null && isAlive(identity)) process.kill(identity.pid, "SIGKILL");
  }
  const scanner = new Scanner(systemClock);
  for (const attempt of await namesIn(liveFolder(dataDir))) {
    const claim = await readClaim(join(liveFolder(dataDir), attempt));
    if (claim !== null) await stopLeftovers({ ...claim, graceMs: 0 }, { clock: systemClock, scanner }).ended;
  }
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
