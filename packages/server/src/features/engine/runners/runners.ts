import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type Clock, sleep, within } from "../../../kernel/time/clock.ts";
import { describeError } from "../../../kernel/errors/errors.ts";
import { newRunnerId } from "../../../kernel/ids.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { isAlive, type RunnerIdentity } from "../../../runner/identity.ts";
import type { Report } from "../../../runner/protocol/messages.ts";
import { runnerPlaces, runnersFolder } from "../../../runner/places.ts";
import { openConnection, type RunnerConnection } from "./runner-connection.ts";
import { type ChildProcess, type RunnerProcessOptions, startRunnerProcess } from "./runner-process.ts";

/** A report about one attempt. */
export type AttemptReport = Exclude<Report, { readonly is: "hello" | "listed" }>;

export interface RunnersListener {
  readonly onReport: (report: AttemptReport) => void;
  /** Called when a runner was connected or lost, because attempts without an owner may need recovery. */
  readonly onChanged: () => void;
}

/** The runners that this daemon talks to, and which of them owns each attempt. A test may simulate them. */
export interface Runners {
  /** Connects to every live runner and gets its list; then starts this daemon's own runner. */
  readonly start: () => Promise<void>;
  /** Connects to this runner if it is alive. Resolves when it has listed its attempts, or does not answer in time. */
  readonly connect: (identity: RunnerIdentity) => Promise<void>;
  /** Whether every live runner has listed its attempts. Those that have not are asked again. */
  readonly syncAll: () => Promise<boolean>;
  readonly ownerOf: (attempt: string) => Pick<RunnerConnection, "send"> | null;
  /** This daemon's own runner, which gets the new attempts. Null while there is none. */
  readonly own: () => Pick<RunnerConnection, "send"> | null;
  /** Makes the own runner the owner of a new attempt. */
  readonly assign: (attempt: string) => void;
  /** Drops the owner of a forgotten attempt. A former daemon's runner without attempts is disconnected, and exits. */
  readonly release: (attempt: string) => void;
  /**
   * Disconnects from the runners. Runners and tasks continue, and the next daemon connects to them. A daemon whose
   * start failed ends its own runner.
   */
  readonly stop: (how: { readonly hasStarted: boolean }) => void;
}

export type OpenRunners = (listener: RunnersListener) => Runners;

export interface RunnersParts extends Omit<RunnerProcessOptions, "id" | "onError">, RunnersListener {
  readonly clock: Clock;
  readonly log: Log;
}

const dialTriesMax = 400;
const dialPauseMs = 25;
const restartPauseMs = 1_000;
const helloTimeoutMs = 5_000;
const listTimeoutMs = 5_000;
/** How long a start waits for the daemon's own runner. */
const ownRunnerTimeoutMs = 5_000;

/**
 * Connects to the runners. New attempts go to the runner that this daemon started. Runners of former daemons stay connected
 * until their last attempt has ended, so that an upgrade replaces them without touching a task.
 */
export function createRunners(parts: RunnersParts): Runners {
  const { clock, log } = parts;
  const connections = new Map<string, RunnerConnection>();
  const ownerByAttempt = new Map<string, RunnerConnection>();
  const connecting = new Map<string, Promise<void>>();
  const pendingLists = new Map<RunnerConnection, PromiseWithResolvers<void>>();
  /** Ids of the runners that have listed all their attempts. */
  const synced = new Set<string>();
  let own: RunnerConnection | null = null;
  let ownProcess: ChildProcess | null = null;
  let isStopped = false;

  const listener = {
    onReport: (connection: RunnerConnection, report: Report): void => {
      if (report.is === "listed") {
        synced.add(connection.runnerId);
        endList(connection);
        closeIfIdle(connection);
        return;
      }
      if (report.is === "hello") return;
      if (report.is === "started" || report.is === "ended") ownerByAttempt.set(report.attempt, connection);
      // the runner that claimed the attempt may have reported before this one refused it
      else if (ownerByAttempt.get(report.attempt) === connection) ownerByAttempt.delete(report.attempt);
      parts.onReport(report);
    },
    onClose: (connection: RunnerConnection): void => {
      connections.delete(connection.runnerId);
      synced.delete(connection.runnerId);
      endList(connection);
      for (const [attempt, owner] of ownerByAttempt) if (owner === connection) ownerByAttempt.delete(attempt);
      if (isStopped) return;
      if (own === connection) {
        own = null;
        log.warn("runner.lost", { runner: connection.runnerId });
        void startOwn();
      }
      parts.onChanged();
    },
  };

  return {
    start: async () => {
      await syncAll();
      await within(clock, ownRunnerTimeoutMs, startOwn());
    },
    connect,
    syncAll,
    ownerOf: (attempt) => ownerByAttempt.get(attempt) ?? null,
    own: () => own,
    assign: (attempt) => {
      if (own !== null) ownerByAttempt.set(attempt, own);
    },
    release: (attempt) => {
      const owner = ownerByAttempt.get(attempt);
      if (owner === undefined) return;
      ownerByAttempt.delete(attempt);
      closeIfIdle(owner);
    },
    stop: ({ hasStarted }) => {
      isStopped = true;
      for (const connection of connections.values()) connection.close();
      // TERM ends only a runner without attempts
      if (!hasStarted) ownProcess?.kill("SIGTERM");
    },
  };

  async function syncAll(): Promise<boolean> {
    const alive = (await readIdentities(parts.dataDir)).filter(isAlive);
    await Promise.all(alive.filter(({ id }) => !synced.has(id)).map(connect));
    return alive.every(({ id }) => synced.has(id));
  }

  function connect(identity: RunnerIdentity): Promise<void> {
    const begun = connecting.get(identity.id);
    if (begun !== undefined) return begun;
    const connected = connectAndList(identity).finally(() => connecting.delete(identity.id));
    connecting.set(identity.id, connected);
    return connected;
  }

  async function connectAndList(identity: RunnerIdentity): Promise<void> {
    try {
      if (isStopped || !isAlive(identity)) return;
      const connection = connections.get(identity.id) ?? (await open(identity.id));
      await within(clock, listTimeoutMs, list(connection));
    } catch (error) {
      log.warn("runner.unreachable", { runner: identity.id, error: describeError(error) });
    }
  }

  async function open(id: string): Promise<RunnerConnection> {
    const { socket } = runnerPlaces(parts.dataDir, id);
    const connection = await openConnection(socket, listener, { clock, helloTimeoutMs });
    connections.set(id, connection);
    // `stop` has closed the others already
    if (isStopped) connection.close();
    return connection;
  }

  function list(connection: RunnerConnection): Promise<void> {
    const begun = pendingLists.get(connection);
    if (begun !== undefined) return begun.promise;
    const listed = Promise.withResolvers<void>();
    pendingLists.set(connection, listed);
    connection.send({ do: "list" });
    return listed.promise;
  }

  function endList(connection: RunnerConnection): void {
    pendingLists.get(connection)?.resolve();
    pendingLists.delete(connection);
  }

  /** Closes the connection to a former daemon's runner that owns no attempt. The runner then exits. */
  function closeIfIdle(connection: RunnerConnection): void {
    if (own === null || connection === own || pendingLists.has(connection)) return;
    if (![...ownerByAttempt.values()].includes(connection)) connection.close();
  }

  async function startOwn(): Promise<void> {
    while (!isStopped && own === null) {
      const id = newRunnerId();
      const onError = (error: unknown): void => log.error("runner.failed", { runner: id, error: describeError(error) });
      try {
        ownProcess = startRunnerProcess({ ...parts, id, onError });
        own = await dial(id, ownProcess);
        // a new runner has no attempts to list
        synced.add(id);
        log.info("runner.ready", { runner: own.runnerId });
        for (const other of connections.values()) closeIfIdle(other);
        parts.onChanged();
      } catch (error) {
        log.error("runner.failed", { runner: id, error: describeError(error), log: parts.runnerLog });
        await sleep(clock, restartPauseMs);
      }
    }
  }

  async function dial(id: string, child: ChildProcess): Promise<RunnerConnection> {
    for (let tries = 1; ; tries++) {
      try {
        return await open(id);
      } catch (error) {
        const hasEnded = child.exitCode !== null || child.signalCode !== null;
        if (isStopped || hasEnded || tries === dialTriesMax) throw error;
        await sleep(clock, dialPauseMs);
      }
    }
  }
}

async function readIdentities(dataDir: string): Promise<readonly RunnerIdentity[]> {
  const found: RunnerIdentity[] = [];
  for (const name of readdirSync(runnersFolder(dataDir)).filter((file) => file.endsWith(".json"))) {
    try {
      found.push(JSON.parse(await readFile(`${runnersFolder(dataDir)}/${name}`, "utf8")) as RunnerIdentity);
    } catch {
      // the runner has just removed its file, or a power failure damaged the file and ended the runner too
    }
  }
  return found;
}
