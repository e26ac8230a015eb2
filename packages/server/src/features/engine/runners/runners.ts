import { type Clock, sleep, within } from "../../../kernel/time/clock.ts";
import { describeError } from "../../../kernel/errors/errors.ts";
import { newRunnerId } from "../../../kernel/ids.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { isAlive, type RunnerIdentity } from "../../../runner/identity.ts";
import type { Report } from "../../../runner/protocol/messages.ts";
import { runnerPlaces } from "../../../runner/places.ts";
import { createHeldOutputs, type HeldOutputs } from "./held-outputs.ts";
import { readIdentities } from "./read-identities.ts";
import { launchRunner } from "./launch-runner.ts";
import { createReleasedRunners } from "./released-runners.ts";
import { createPendingLists } from "./pending-lists.ts";
import { createPendingStarts, type PausedStart } from "./pending-starts.ts";
import { type ConnectionListener, openConnection, type RunnerConnection } from "./runner-connection.ts";
import type { ChildProcess, RunnerProcessOptions } from "./runner-process.ts";
import { createSilentRunners, type SilentRunner } from "./silent-runners.ts";

/** A report about one attempt. */
export type AttemptReport = Exclude<Report, { readonly is: "hello" | "listed" | "held" | "claimed" }>;

export interface RunnersListener {
  readonly onReport: (report: AttemptReport) => void;
  /** Called when a runner was connected or lost, because attempts without an owner may need recovery. */
  readonly onChanged: () => void;
  /** Called when a runner of a former daemon, or one that did not respond, has listed its attempts. */
  readonly onListed: () => void;
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
  readonly own: () => Pick<RunnerConnection, "send" | "startVersions"> | null;
  /** Makes the own runner the owner of an attempt whose start is being ordered, for the first time if it is new. */
  readonly assign: (attempt: string, how: { readonly isNew: boolean }) => void;
  /** Whether a live runner may still carry out an earlier order to start this attempt. */
  readonly mayStart: (attempt: string) => boolean;
  /** Returns the pause of an order that several runners left unanswered; null if it may be repeated now. */
  readonly findPause: (attempt: string) => PausedStart | null;
  readonly listPausedStarts: () => readonly PausedStart[];
  /** Drops the owner of a forgotten attempt. A former daemon's runner without attempts is disconnected, and exits. */
  readonly release: (attempt: string) => void;
  readonly listSilent: () => readonly SilentRunner[];
  readonly listHeldOutputs: () => readonly HeldOutputs[];
  /** Whether the attempt waits for a runner that does not respond. */
  readonly isSilentFor: (attempt: string) => boolean;
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

const restartPauseMs = 1_000;
const helloTimeoutMs = 5_000;
const listTimeoutMs = 5_000;

/**
 * Connects to the runners. New attempts go to the runner that this daemon started. If that runner does not respond, another
 * takes its place. Runners of former daemons, and one that was replaced, stay connected until their last attempt has ended,
 * so that neither an upgrade nor a replacement touches a task.
 */
export function createRunners(parts: RunnersParts): Runners {
  const { clock, log } = parts;
  const connections = new Map<string, RunnerConnection>();
  const ownerByAttempt = new Map<string, RunnerConnection>();
  const connecting = new Map<string, Promise<void>>();
  const lists = createPendingLists();
  const pendingStarts = createPendingStarts(clock);
  const silent = createSilentRunners(clock);
  const released = createReleasedRunners(clock);
  const heldOutputs = createHeldOutputs();
  /** Ids of the runners that have listed all their attempts. */
  const synced = new Set<string>();
  /** Ids of the runners that this daemon has started. */
  const launched = new Set<string>();
  let launching: string | null = null;
  let launchedAtMs = -Infinity;
  let own: RunnerConnection | null = null;
  let ownProcess: ChildProcess | null = null;
  let isStopped = false;

  const listener: ConnectionListener = {
    onReport: (connection, report) => {
      if (report.is === "listed") return onListed(connection);
      if (report.is === "hello") return;
      if (report.is === "claimed") return void ownerByAttempt.set(report.attempt, connection);
      if (report.is === "held") return heldOutputs.note({ runner: connection.runner, ...report });
      const isStarted = report.is === "started" || report.is === "ended";
      pendingStarts.noteAnswered(report.attempt, connection.runner.id, isStarted);
      if (isStarted) ownerByAttempt.set(report.attempt, connection);
      // the runner that claimed the attempt may have reported before this one refused it
      else if (ownerByAttempt.get(report.attempt) === connection) ownerByAttempt.delete(report.attempt);
      parts.onReport(report);
    },
    onSilent: (connection) => {
      silent.add(connection.runner);
      const unanswered = connection.listUnansweredStarts();
      const { id, pid } = connection.runner;
      log.warn("runner.silent", { runner: id, pid, unanswered_starts: unanswered.length });
      if (connection === own) replaceOwn(connection, unanswered);
    },
    onResumed: ({ runner }) => {
      silent.remove(runner.id);
      log.info("runner.resumed", { runner: runner.id, pid: runner.pid });
    },
    onClose: (connection) => {
      const { id } = connection.runner;
      if (connections.get(id) === connection) connections.delete(id);
      synced.delete(id);
      silent.remove(id);
      heldOutputs.remove(id);
      lists.end(connection);
      for (const [attempt, owner] of ownerByAttempt) if (owner === connection) ownerByAttempt.delete(attempt);
      if (isStopped) return;
      if (own === connection) {
        own = null;
        log.warn("runner.lost", { runner: id });
        void startOwn();
      }
      parts.onChanged();
    },
  };

  return {
    start: async () => {
      await syncAll();
      launchedAtMs = clock.monotonicMs();
      await launchOwn(newRunnerId(), 0);
      // a runner that failed is replaced while the daemon works without one
      void startOwn(1);
    },
    connect,
    syncAll,
    ownerOf: (attempt) => ownerByAttempt.get(attempt) ?? null,
    own: () => own,
    assign: (attempt, how) => {
      if (own === null) return;
      ownerByAttempt.set(attempt, own);
      pendingStarts.noteSent(attempt, own.runner, how);
    },
    mayStart: pendingStarts.mayStart,
    findPause: (attempt) => (ownerByAttempt.has(attempt) ? null : pendingStarts.findPause(attempt)),
    listPausedStarts: () => pendingStarts.listPaused().filter(({ attempt }) => !ownerByAttempt.has(attempt)),
    release: (attempt) => {
      pendingStarts.drop(attempt);
      const owner = ownerByAttempt.get(attempt);
      if (owner === undefined) return;
      ownerByAttempt.delete(attempt);
      closeIfIdle(owner);
    },
    listSilent: silent.list,
    listHeldOutputs: heldOutputs.list,
    isSilentFor: (attempt) => {
      const owner = ownerByAttempt.get(attempt);
      return owner === undefined ? silent.list().length > 0 : silent.has(owner.runner.id);
    },
    stop: ({ hasStarted }) => {
      isStopped = true;
      for (const connection of connections.values()) connection.close();
      // TERM ends only a runner without attempts
      if (!hasStarted) ownProcess?.kill("SIGTERM");
    },
  };

  function onListed(connection: RunnerConnection): void {
    synced.add(connection.runner.id);
    lists.end(connection);
    closeIfIdle(connection);
    if (connection === own) return;
    pendingStarts.noteListed(connection.runner.id);
    parts.onListed();
  }

  /**
   * Starts another runner in place of one that does not respond. What it has started or claimed stays its own. Its
   * unanswered orders are repeated: the claim decides which runner starts the attempt.
   */
  function replaceOwn(former: RunnerConnection, unanswered: readonly string[]): void {
    own = null;
    synced.delete(former.runner.id);
    for (const attempt of unanswered) if (ownerByAttempt.get(attempt) === former) ownerByAttempt.delete(attempt);
    // its answer covers all orders before it, however late it comes
    void lists.order(former);
    void startOwn();
    parts.onChanged();
  }

  async function syncAll(): Promise<boolean> {
    const alive = (await readIdentities(parts.dataDir)).filter((each) => each.id !== launching && isAlive(each));
    const unsynced = alive.filter(({ id }) => !synced.has(id) && !released.has(id));
    for (const each of unsynced) if (!launched.has(each.id)) pendingStarts.noteFormer(each);
    // one that does not respond would only delay the others' attempts
    await Promise.all(unsynced.filter(({ id }) => !silent.has(id) || !connections.has(id)).map(connect));
    return alive.every(({ id }) => synced.has(id) || released.has(id));
  }

  function connect(identity: RunnerIdentity): Promise<void> {
    const begun = connecting.get(identity.id);
    if (begun !== undefined) return begun;
    // whoever asks for it knows of an attempt that it owns
    released.remove(identity.id);
    const connected = connectAndList(identity).finally(() => connecting.delete(identity.id));
    connecting.set(identity.id, connected);
    return connected;
  }

  async function connectAndList(identity: RunnerIdentity): Promise<void> {
    try {
      if (isStopped || !isAlive(identity)) return;
      const connection = connections.get(identity.id) ?? (await open(identity.id, helloTimeoutMs));
      await within(clock, listTimeoutMs, lists.order(connection));
    } catch (error) {
      // it is exiting, and no longer listens
      if (released.has(identity.id)) return;
      if (!silent.has(identity.id))
        log.warn("runner.unreachable", { runner: identity.id, pid: identity.pid, error: describeError(error) });
      if (isAlive(identity)) silent.add(identity);
    }
  }

  async function open(id: string, timeoutMs: number): Promise<RunnerConnection> {
    const { socket } = runnerPlaces(parts.dataDir, id);
    const connection = await openConnection(socket, listener, { clock, helloTimeoutMs: timeoutMs });
    silent.remove(id);
    released.remove(id);
    connections.set(id, connection);
    // `stop` has closed the others already
    if (isStopped) connection.close();
    return connection;
  }

  /** Closes the connection to a former daemon's runner that owns no attempt. The runner then exits. */
  function closeIfIdle(connection: RunnerConnection): void {
    if (own === null || connection === own || lists.has(connection)) return;
    if ([...ownerByAttempt.values()].includes(connection)) return;
    released.add(connection.runner.id);
    // whoever needs this runner before the connection is closed needs another one
    connections.delete(connection.runner.id);
    connection.close();
  }

  async function startOwn(failed = 0): Promise<void> {
    for (let failures = failed; !isStopped && own === null; failures++) {
      // a runner that ends at once must not be started again without a pause
      await sleep(clock, Math.max(0, launchedAtMs + restartPauseMs - clock.monotonicMs()));
      if (isStopped) return;
      launchedAtMs = clock.monotonicMs();
      await launchOwn(newRunnerId(), failures);
    }
  }

  async function launchOwn(id: string, failures: number): Promise<void> {
    launching = id;
    launched.add(id);
    const onError = (error: unknown): void => log.error("runner.failed", { runner: id, error: describeError(error) });
    try {
      own = await launchRunner({
        ...parts,
        id,
        failures,
        onError,
        onStarted: (process) => (ownProcess = process),
        open: (timeoutMs) => open(id, timeoutMs),
        isStopped: () => isStopped,
      });
      // a new runner has no attempts to list
      synced.add(id);
      log.info("runner.ready", { runner: id });
      for (const other of connections.values()) closeIfIdle(other);
      parts.onChanged();
    } catch (error) {
      log.error("runner.failed", { runner: id, error: describeError(error), log: parts.runnerLog });
    } finally {
      launching = null;
    }
  }
}
