import { soon, systemClock, type Timer } from "../kernel/time/clock.ts";
import { readArguments } from "./arguments.ts";
import { type DaemonConnection, listenForDaemon } from "./protocol/daemon-connection.ts";
import { becomeRunner, removeDeadRunners, removeRunner, type RunnerIdentity } from "./identity.ts";
import { closeInheritedFiles } from "./inherited-files.ts";
import { Cgroups } from "./processes/cgroups.ts";
import { OpenFiles } from "./processes/limits.ts";
import { openLog, type RunnerLog } from "./log.ts";
import { startVersions } from "./protocol/messages.ts";
import { arePlacesGone, watchNames } from "./name-watch.ts";
import { parseOrder } from "./protocol/orders.ts";
import { runnerPlaces } from "./places.ts";
import { Runner } from "./runner.ts";
import { Scanner } from "./processes/scanner.ts";
import { describeCrash } from "./system-error.ts";
import { createPlanStart } from "./users/plan-start.ts";

/** How long a new runner waits for its daemon. */
const idleMs = 10_000;

/**
 * Runs the process that owns the running tasks. It is started in its own session, and outlives the daemon that started
 * it.
 */
async function main(): Promise<void> {
  const { dataDir, id, umask, openFilesMax } = readArguments(process.argv.slice(2));
  closeInheritedFiles();
  process.chdir("/");
  if (umask !== null) process.umask(umask);
  // Node passes this variable even to a child whose environment lacks it
  delete process.env["NODE_V8_COVERAGE"];

  const identity = becomeRunner(dataDir, id);
  try {
    const log = openLog(dataDir, id, systemClock);
    removeDeadRunners(dataDir, (dead, error) => log("warn", "runner.not_removed", { dead, error: String(error) }));
    await serve(dataDir, identity, { log, openFiles: new OpenFiles(openFilesMax) });
  } catch (error) {
    removeRunner(dataDir, id);
    throw error;
  }
}

interface ServeTools {
  readonly log: RunnerLog;
  readonly openFiles: OpenFiles;
}

async function serve(dataDir: string, identity: RunnerIdentity, { log, openFiles }: ServeTools): Promise<void> {
  const { id, pid } = identity;
  const places = runnerPlaces(dataDir, id);
  let daemon: DaemonConnection | null = null;
  let leaving: Timer | null = null;
  /** Whether the daemon that started this runner is gone. No other daemon orders a start from it. */
  let isFormer = false;

  const cgroups = Cgroups.open({ runner: identity, clock: systemClock, log });
  const runner = new Runner({
    dataDir,
    runner: identity,
    clock: systemClock,
    cgroups,
    arePlacesGone: () => arePlacesGone(dataDir, id),
    scanner: new Scanner(systemClock),
    planStart: createPlanStart({ clock: systemClock, sharedFolder: places.shared }),
    log,
    openFiles,
    send: (report) => daemon?.send(report),
    onChange: () => considerLeaving(),
  });
  const leave = (why: "former" | "signal" | "idle"): void => {
    log("info", "runner.left", { why });
    cgroups?.close();
    try {
      removeRunner(dataDir, id);
    } catch {
      // the next runner removes the rest
    }
    process.exit(0);
  };
  /** After a pause of the machine, a connection or a signal that has arrived meanwhile comes before the timer. */
  const leaveIfIdle = (): void =>
    soon(() => {
      if (daemon?.isConnected !== true && runner.isIdle) leave("idle");
    });
  const considerLeaving = (): void => {
    // whoever is connected: daemons that die early must not keep alive a runner that they have no use for
    if (isFormer && runner.isIdle) return leave("former");
    if (daemon?.isConnected === true || !runner.isIdle) {
      leaving?.cancel();
      leaving = null;
    } else leaving ??= systemClock.after(idleMs, leaveIfIdle, { hold: true });
  };

  process.on("uncaughtException", (error) => log("error", "runner.failed", { error: describeCrash(error) }));
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (!runner.isNeeded) leave("signal");
    });
  }
  daemon = await listenForDaemon({
    socket: places.socket,
    hello: { is: "hello", runner: id, pid, startVersions },
    onLine: (text) => {
      const order = parseOrder(text);
      if (order === null) log("warn", "order.unknown", { bytes: text.length });
      else runner.handle(order);
    },
    onChange: () => {
      isFormer ||= daemon?.isConnected === false;
      considerLeaving();
    },
  });
  considerLeaving();
  watchNames({
    dataDir,
    runner: identity,
    clock: systemClock,
    onRestored: () => {
      log("error", "names.restored");
      daemon.restoreSocket();
    },
  });
  log("info", "runner.started");
}

await main().catch((error: unknown) => {
  console.error(`belfry runner: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
