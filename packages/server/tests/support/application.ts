import { Readable } from "node:stream";
import type { Capability, Transport } from "@belfry/contract";
import { type ManualClock, tempDir } from "@belfry/test-kit";
import type { Database as Sqlite } from "better-sqlite3";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { type Clock, systemClock } from "../../src/kernel/time/clock.ts";
import type { Config } from "../../src/kernel/config/config.ts";
import { readOwnAccount } from "../../src/kernel/config/own-account.ts";
import { defaultRemote } from "../../src/kernel/config/remote-config.ts";
import { simulatedListener } from "./remote.ts";
import { openDatabase } from "../../src/kernel/storage/database.ts";
import { createLog, type LogEntry } from "../../src/kernel/log/log.ts";
import { choosePaths, preparePaths } from "../../src/kernel/files/paths.ts";
import { prepareDatabase } from "../../src/prepare-database.ts";
import type { OpenRunners } from "../../src/features/engine/index.ts";
import { openApplication } from "../../src/application.ts";
import { anonymous } from "../../src/gateway.ts";
import type { Actor } from "../../src/kernel/operation.ts";
import { type Answer, endRunners } from "./harness.ts";

export type TestApplication = Awaited<ReturnType<typeof openTestApplication>>;

export interface TestApplicationOptions {
  readonly clock?: Clock | ManualClock;
  readonly auditKept?: number;
  readonly config?: Partial<Config>;
  /** Starts a runner, which takes time: only for tests whose tasks must run or be ready. */
  readonly canRun?: boolean;
  /** Simulated runners instead of processes. */
  readonly openRunners?: OpenRunners;
  /** Whether remote callers may set what runs. */
  readonly remoteCommands?: boolean;
  /** Sends queued deliveries. */
  readonly canDeliver?: boolean;
}

/** The database's own connection: its settings affect every call. */
export interface Connection extends Pick<Sqlite, "exec" | "name" | "pragma" | "prepare"> {}

/**
 * A daemon without its socket, with its parts accessible: the connection of its database, so that a test can fill the
 * disk, and the capability of its caller.
 */
export async function openTestApplication(options: TestApplicationOptions = {}) {
  const dir = await tempDir("bf-");
  const clock = options.clock ?? systemClock;
  const paths = choosePaths({ dataDir: dir.path, socket: null, config: null, runtimeDir: null, isRoot: false });
  preparePaths(paths);
  const database = openDatabase(paths.database);
  const sqlite: Connection = database.sqlite;
  const { sealing } = prepareDatabase({ database, paths, clock });
  const config: Config = {
    paths,
    logLevel: "error",
    runsAtOnceMax: 8,
    holdWhenMoved: true,
    zone: "UTC",
    account: readOwnAccount(),
    homeDirectory: "/tmp",
    baseEnvironment: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    webhooks: { denyPrivate: false, ca: null, dnsServers: null },
    remote: defaultRemote,
    fireSocket: null,
    configuredFiles: [],
    ...options.config,
  };
  const logged: LogEntry[] = [];
  const application = openApplication({
    config,
    clock,
    log: createLog(clock, "debug", [(entry) => void logged.push(entry)]),
    version: "1.4.0-test",
    bootId: "test",
    umask: 0o022,
    database,
    sealing,
    listBroken: () => [],
    requireStorage: () => {},
    auditKept: options.auditKept,
    openRunners: options.openRunners,
  });
  const { modules, bodies } = application;
  const { hub } = modules.events;
  const inside = {
    write: application.write,
    housekeeping: application.housekeeping,
    engine: modules.engine.service,
    ticker: modules.schedules.ticker,
    deliverer: modules.deliveries.deliverer,
    deliveries: modules.deliveries.service,
    channels: modules.channels.service,
    access: modules.access,
    tasks: modules.tasks.service,
    requests: modules.runs.requests,
    lifecycle: modules.runs.lifecycle,
    replacement: modules.runs.replacement,
    retention: modules.runs.retention,
    overdueWatch: modules.tasks.overdueWatch,
    fire: modules.triggers.fire,
    runStore: modules.runs.store,
  };
  let capability: Capability | null = null;
  let transport: Transport = "local";
  let identified: Actor | null = null;
  const authenticate = (authorization: string | undefined) =>
    modules.access.admission.authenticate(authorization === undefined ? [] : [authorization], clock.now());
  const http = application.mountFor(({ incoming }) => {
    if (identified !== null) return identified;
    // a caller with a token is its actor, as on the remote transport
    const { authorization } = incoming.headers;
    if (authorization !== undefined) return authenticate(authorization);
    const actor = modules.access.localActor();
    return { ...actor, capability: capability ?? actor.capability, transport };
  }, options);
  const remote = application.mountFor(
    ({ incoming }, { isPublic }) => (isPublic === true ? anonymous : authenticate(incoming.headers.authorization)),
    { ...options, transport: "remote" },
  );
  modules.remote.connect(simulatedListener());
  let bodiesAskedFor = 0;
  if (options.canRun === true) await inside.engine.start();
  if (options.canDeliver === true) inside.deliverer.start();

  return {
    dataDir: dir.path,
    sqlite,
    fetch: http.fetch,
    streams: application.streams,
    actorId: (): string => modules.access.localActor().id,
    hub,
    /** The modules, for changes that no call makes, such as the end of a run without a process. */
    inside,
    /** The table of operations; a test may replace one. */
    operations: application.operations,
    /** The gateway's log lines. */
    logged,
    /** How many callers with `Expect: 100-continue` got a 100 Continue. */
    bodiesAskedFor: (): number => bodiesAskedFor,
    rounds: {
      engine: inside.engine.rounds,
      ticker: inside.ticker.rounds,
      deliverer: inside.deliverer.rounds,
      housekeeping: inside.housekeeping.rounds,
    },
    /** Stops the engine, as the start of a stop does. */
    stopEngine: inside.engine.stop,
    /** From now on the caller has this capability, and comes from this transport. */
    actAs: (held: Capability, from: Transport = "local"): void => {
      capability = held;
      transport = from;
    },
    /** From now on the transport identifies every caller as this actor, whatever its row says. */
    identifyAs: (actor: Actor | null): void => void (identified = actor),
    /** Calls the operation of a path: those below `/api/v1` are the remote ones. */
    call: async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer> => {
      const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
      const contentHeaders =
        text === undefined
          ? {}
          : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
      const request = new Request(`http://local${path}`, {
        method,
        headers: { ...contentHeaders, ...headers },
        ...(text === undefined ? {} : { body: text }),
      });
      const sent = Readable.from(text === undefined ? [] : [Buffer.from(text)]);
      const incoming = Object.assign(sent, {
        headers: Object.fromEntries(request.headers),
        rawHeaders: [...request.headers].flat(),
        httpVersion: "1.1",
      });
      const outgoing = Object.assign(new ServerResponse(new IncomingMessage(new Socket())), {
        writeContinue: () => void bodiesAskedFor++,
      });
      const { fetch } = path.startsWith("/api/") ? remote : http;
      const response = await fetch(request, { incoming, outgoing });
      if (outgoing.headersSent || outgoing.hasHeader("content-type")) {
        // a stream, whose reader disconnects immediately
        outgoing.destroy();
        outgoing.emit("close");
        return { status: outgoing.statusCode, headers: {}, text: "", json: {} };
      }
      const isStream = response.headers.get("content-type") === "text/event-stream";
      if (isStream) await response.body?.cancel();
      const answered = isStream ? "" : await response.text();
      const isJson = response.headers.get("content-type") === "application/json";
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: answered,
        json: isJson ? JSON.parse(answered) : {},
      };
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await inside.deliverer.stop();
      await application.walTruncation.stop();
      await inside.access.expiry.stop();
      await inside.overdueWatch.stop();
      await inside.access.lastUse.stop();
      await inside.ticker.stop();
      await inside.engine.stop();
      hub.close();
      await bodies.close();
      database.close();
      await endRunners(dir.path);
      await dir[Symbol.asyncDispose]();
    },
  };
}
