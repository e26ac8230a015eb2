import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Clock, sleep } from "../../kernel/time/clock.ts";
import { describeError } from "../../kernel/errors/errors.ts";
import { newRunnerId } from "../../kernel/ids.ts";
import type { Log } from "../../kernel/log/log.ts";
import { isAlive, type RunnerIdentity } from "../../runner/identity.ts";
import { type Leftovers, type LeftoverStop, stopLeftovers } from "../../runner/processes/leftovers.ts";
import { type AttemptSpec, type Report, startVersion } from "../../runner/protocol/messages.ts";
import { runnerPlaces, runnersFolder } from "../../runner/places.ts";
import type { Availability } from "./availability.ts";
import { openLine, type RunnerLine } from "./runner-line.ts";

export interface ExecutorParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
  /** Given to tasks; the daemon's own umask is 077. */
  readonly umask: number;
  /** Soft limit of open files, for tasks; null leaves what Node has made of it. */
  readonly openFilesMax: number | null;
  readonly runnerLog: string;
  readonly onReport: (report: Exclude<Report, { readonly is: "hello" | "listed" }>) => void;
  /** A line was lost or made: what nobody owns must be looked after. */
  readonly onRunnersChanged: () => void;
  readonly availability: Pick<Availability, "setRunner">;
}

export type Executor = ReturnType<typeof createExecutor>;

/** Beside this file in the bundle, in its own room in the source. */
const runnerProgram = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../runner/main.ts" : "./runner.js", import.meta.url),
);
const connectTriesMax = 400;
const connectPauseMs = 25;
const restartPauseMs = 1_000;
/** A runner that hangs holds up nobody for longer. */
const patienceMs = 5_000;

/**
 * Speaks to the runners. New attempts go to the one this daemon started; those that former daemons left are heard until
 * their last attempt has ended, and then let go, so that an upgrade replaces them without touching a task.
 */
export function createExecutor(parts: ExecutorParts) {
  const { clock, log } = parts;
  const lines = new Map<string, RunnerLine>();
  const homes = new Map<string, RunnerLine>();
  /** Attempts of dead runners whose leftovers are being ended here. */
  const stops = new Map<string, LeftoverStop>();
  /** The shortest grace a cancel gave each attempt; its order may be lost with a runner, and is heeded by what comes after it. */
  const graces = new Map<string, number>();
  const listening = new Map<RunnerLine, PromiseWithResolvers<void>>();
  const joining = new Map<string, Promise<void>>();
  /** Runners that have told all they have. */
  const heard = new Set<string>();
  let main: RunnerLine | null = null;
  /** The process that was started last to become it. */
  let raised: ChildProcess | null = null;
  let stopped = false;

  const listener = {
    onReport: (line: RunnerLine, report: Report): void => {
      if (report.is === "listed") {
        heard.add(line.runnerId);
        endListening(line);
        letGoWhenIdle(line);
        return;
      }
      if (report.is === "hello") return;
      if (report.is === "started" || report.is === "ended") homes.set(report.attempt, line);
      // the runner that has claimed it may have told so before
      else if (homes.get(report.attempt) === line) homes.delete(report.attempt);
      parts.onReport(report);
    },
    onClose: (line: RunnerLine): void => {
      lines.delete(line.runnerId);
      heard.delete(line.runnerId);
      endListening(line);
      for (const [attempt, home] of homes) if (home === line) homes.delete(attempt);
      if (stopped) return;
      if (main === line) {
        main = null;
        parts.availability.setRunner(false);
        log.warn("runner.lost", { runner: line.runnerId });
        void raiseMain();
      }
      parts.onRunnersChanged();
    },
  };

  return {
    /** Connects to every runner that lives and hears all it has to tell; then has one of its own. */
    start: async (): Promise<void> => {
      await hearAll();
      await orAfterPatience(raiseMain());
    },
    join,
    hearAll,
    isHome: (attempt: string): boolean => homes.has(attempt),

    orderStart: (attempt: string, spec: AttemptSpec): void => {
      if (main === null) return;
      homes.set(attempt, main);
      main.send({ do: "start", version: startVersion, attempt, spec });
    },
    /** Ends what a dead runner left of an attempt; orders to cancel it, before and meanwhile, can only shorten the grace. */
    endLeftovers: async (attempt: string, claim: Leftovers): LeftoverStop["ended"] => {
      const stop = stopLeftovers(claim, { clock });
      stops.set(attempt, stop);
      stop.hasten(graces.get(attempt) ?? claim.graceMs);
      return stop.ended.finally(() => stops.delete(attempt));
    },
    orderCancel: (attempt: string, askedMs: number): void => {
      const graceMs = Math.min(askedMs, graces.get(attempt) ?? askedMs);
      graces.set(attempt, graceMs);
      const stop = stops.get(attempt);
      if (stop !== undefined) return stop.hasten(graceMs);
      (homes.get(attempt) ?? main)?.send({ do: "cancel", attempt, cause: "cancelled", graceMs });
    },
    orderForget: (attempt: string): void => {
      graces.delete(attempt);
      const home = homes.get(attempt);
      if (home === undefined) return;
      homes.delete(attempt);
      home.send({ do: "forget", attempt });
      letGoWhenIdle(home);
    },
    /** The runners and their tasks go on; the next daemon hears of them. A daemon that did not start needs no runner: TERM ends one without attempts. */
    stop: ({ hasStarted }: { readonly hasStarted: boolean }): void => {
      stopped = true;
      for (const line of lines.values()) line.close();
      if (!hasStarted) raised?.kill("SIGTERM");
    },
  };

  /** Whether every runner that lives has told what it has; those that have not are asked anew. */
  async function hearAll(): Promise<boolean> {
    const alive = (await readIdentities(parts.dataDir)).filter(isAlive);
    await Promise.all(alive.filter(({ id }) => !heard.has(id)).map(join));
    return alive.every(({ id }) => heard.has(id));
  }

  /** Connects to a runner by its identity, if it lives; resolves when it has listed its attempts, or hangs. */
  function join(identity: RunnerIdentity): Promise<void> {
    const begun = joining.get(identity.id);
    if (begun !== undefined) return begun;
    const joined = connectAndList(identity).finally(() => joining.delete(identity.id));
    joining.set(identity.id, joined);
    return joined;
  }

  async function connectAndList(identity: RunnerIdentity): Promise<void> {
    try {
      if (stopped || !isAlive(identity)) return;
      const line = lines.get(identity.id) ?? (await open(identity.id));
      await orAfterPatience(list(line));
    } catch (error) {
      log.warn("runner.unreachable", { runner: identity.id, error: describeError(error) });
    }
  }

  async function open(id: string): Promise<RunnerLine> {
    const line = await openLine(runnerPlaces(parts.dataDir, id).socket, listener, { clock, withinMs: patienceMs });
    lines.set(id, line);
    // nobody else would close it any more
    if (stopped) line.close();
    return line;
  }

  function list(line: RunnerLine): Promise<void> {
    const begun = listening.get(line);
    if (begun !== undefined) return begun.promise;
    const listed = Promise.withResolvers<void>();
    listening.set(line, listed);
    line.send({ do: "list" });
    return listed.promise;
  }

  function endListening(line: RunnerLine): void {
    listening.get(line)?.resolve();
    listening.delete(line);
  }

  function orAfterPatience(work: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.after(patienceMs, resolve);
      void work.then(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  /** A former daemon's runner that owns nothing any more leaves once its line is closed. */
  function letGoWhenIdle(line: RunnerLine): void {
    if (line === main || listening.has(line) || [...homes.values()].includes(line)) return;
    if (main !== null) line.close();
  }

  async function raiseMain(): Promise<void> {
    while (!stopped && main === null) {
      const id = newRunnerId();
      try {
        raised = startProcess(id);
        const line = await dial(id, raised);
        main = line;
        parts.availability.setRunner(true);
        // it is new: there is nothing for it to tell
        heard.add(id);
        log.info("runner.ready", { runner: line.runnerId });
        for (const other of lines.values()) letGoWhenIdle(other);
        parts.onRunnersChanged();
      } catch (error) {
        log.error("runner.failed", { runner: id, error: describeError(error), log: parts.runnerLog });
        await sleep(clock, restartPauseMs);
      }
    }
  }

  async function dial(id: string, child: ChildProcess): Promise<RunnerLine> {
    for (let tries = 1; ; tries++) {
      try {
        return await open(id);
      } catch (error) {
        const hasEnded = child.exitCode !== null || child.signalCode !== null;
        if (stopped || hasEnded || tries === connectTriesMax) throw error;
        await sleep(clock, connectPauseMs);
      }
    }
  }

  /** In a session of its own, with none of the daemon's environment or files. */
  function startProcess(id: string): ChildProcess {
    const output = openSync(parts.runnerLog, "a", 0o600);
    try {
      const argumentsOfRunner = [
        // each start of a task copies the page table of this heap: half the heap, and a start is the cheaper for it
        "--max-semi-space-size=2",
        runnerProgram,
        "--data-dir",
        parts.dataDir,
        "--id",
        id,
        "--umask",
        parts.umask.toString(8),
      ];
      if (parts.openFilesMax !== null) argumentsOfRunner.push("--nofile", String(parts.openFilesMax));
      const child = spawn(process.execPath, argumentsOfRunner, {
        cwd: "/",
        env: {},
        detached: true,
        stdio: ["ignore", output, output],
      });
      child.on("error", (error) => log.error("runner.failed", { runner: id, error: describeError(error) })).unref();
      return child;
    } finally {
      closeSync(output);
    }
  }
}

async function readIdentities(dataDir: string): Promise<readonly RunnerIdentity[]> {
  const found: RunnerIdentity[] = [];
  for (const name of readdirSync(runnersFolder(dataDir)).filter((file) => file.endsWith(".json"))) {
    try {
      found.push(JSON.parse(await readFile(`${runnersFolder(dataDir)}/${name}`, "utf8")) as RunnerIdentity);
    } catch {
      // just removed by its runner, or damaged by a power failure, which ended the runner as well
    }
  }
  return found;
}
