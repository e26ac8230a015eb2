import { spawn } from "node:child_process";
import { closeSync, openSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Clock, sleep } from "../../kernel/clock.ts";
import { describeError } from "../../kernel/errors.ts";
import { newRunnerId } from "../../kernel/ids.ts";
import type { Log } from "../../kernel/log.ts";
import { isAlive, type RunnerIdentity } from "../../runner/identity.ts";
import { type AttemptSpec, type Report, startVersion } from "../../runner/messages.ts";
import { runnerPlaces, runnersFolder } from "../../runner/places.ts";
import { openLine, type RunnerLine } from "./runner-line.ts";

export interface ExecutorParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
  /** Given to tasks; the daemon's own umask is 077. */
  readonly umask: number;
  readonly runnerLog: string;
  readonly onReport: (report: Exclude<Report, { readonly is: "hello" | "listed" }>) => void;
  /** A line was lost or made: what nobody owns must be looked after. */
  readonly onRunnersChanged: () => void;
}

export type Executor = ReturnType<typeof createExecutor>;

/** Beside this file in the bundle, in its own room in the source. */
const runnerProgram = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../../runner/main.ts" : "./runner.js", import.meta.url));
const connectTriesMax = 400;
const connectPauseMs = 25;
const restartPauseMs = 1_000;

/**
 * Speaks to the runners. New attempts go to the one this daemon started; those that former daemons left are heard until
 * their last attempt has ended, and then let go, so that an upgrade replaces them without touching a task.
 */
export function createExecutor(parts: ExecutorParts) {
  const { clock, log } = parts;
  const lines = new Map<string, RunnerLine>();
  const homes = new Map<string, RunnerLine>();
  const listening = new Map<RunnerLine, () => void>();
  let main: RunnerLine | null = null;
  let stopped = false;

  const listener = {
    onReport: (line: RunnerLine, report: Report): void => {
      if (report.is === "listed") {
        listening.get(line)?.();
        listening.delete(line);
        letGoWhenIdle(line);
        return;
      }
      if (report.is === "hello") return;
      if (report.is === "returned" || report.is === "refused") homes.delete(report.attempt);
      else homes.set(report.attempt, line);
      parts.onReport(report);
    },
    onClose: (line: RunnerLine): void => {
      lines.delete(line.runnerId);
      listening.get(line)?.();
      listening.delete(line);
      for (const [attempt, home] of homes) if (home === line) homes.delete(attempt);
      if (stopped) return;
      if (main === line) {
        main = null;
        log.warn("runner.lost", { runner: line.runnerId });
        void raiseMain();
      }
      parts.onRunnersChanged();
    },
  };

  return {
    /** Connects to every runner that lives and hears all it has to tell; then has one of its own. */
    start: async (): Promise<void> => {
      for (const identity of await readIdentities(parts.dataDir)) await join(identity);
      await raiseMain();
    },
    /** Connects to a runner by its identity, if it lives and is not connected; resolves when it has listed its attempts. */
    join,
    isAvailable: (): boolean => main !== null,
    isHome: (attempt: string): boolean => homes.has(attempt),

    orderStart: (attempt: string, spec: AttemptSpec): void => {
      if (main === null) return;
      homes.set(attempt, main);
      main.send({ do: "start", version: startVersion, attempt, spec });
    },
    orderCancel: (attempt: string, graceMs: number): void => {
      (homes.get(attempt) ?? main)?.send({ do: "cancel", attempt, cause: "cancelled", graceMs });
    },
    orderForget: (attempt: string): void => {
      const home = homes.get(attempt);
      if (home === undefined) return;
      homes.delete(attempt);
      home.send({ do: "forget", attempt });
      letGoWhenIdle(home);
    },
    /** The runners and their tasks go on; the next daemon hears of them. */
    stop: (): void => {
      stopped = true;
      for (const line of lines.values()) line.close();
    },
  };

  async function join(identity: RunnerIdentity): Promise<void> {
    if (lines.has(identity.id) || !isAlive(identity)) return;
    try {
      const line = await openLine(runnerPlaces(parts.dataDir, identity.id).socket, listener);
      lines.set(line.runnerId, line);
      await list(line);
    } catch (error) {
      log.warn("runner.unreachable", { runner: identity.id, error: describeError(error) });
    }
  }

  function list(line: RunnerLine): Promise<void> {
    return new Promise((resolve) => {
      listening.set(line, resolve);
      line.send({ do: "list" });
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
        startProcess(id);
        const line = await dial(id);
        lines.set(line.runnerId, line);
        main = line;
        log.info("runner.ready", { runner: line.runnerId });
        for (const other of lines.values()) letGoWhenIdle(other);
        parts.onRunnersChanged();
      } catch (error) {
        log.error("runner.failed", { runner: id, error: describeError(error), log: parts.runnerLog });
        await sleep(clock, restartPauseMs);
      }
    }
  }

  async function dial(id: string): Promise<RunnerLine> {
    const { socket } = runnerPlaces(parts.dataDir, id);
    for (let tries = 1; ; tries++) {
      try {
        return await openLine(socket, listener);
      } catch (error) {
        if (stopped || tries === connectTriesMax) throw error;
        await sleep(clock, connectPauseMs);
      }
    }
  }

  /** In a session of its own, with none of the daemon's environment or files. */
  function startProcess(id: string): void {
    const output = openSync(parts.runnerLog, "a", 0o600);
    try {
      const argumentsOfRunner = [runnerProgram, "--data-dir", parts.dataDir, "--id", id, "--umask", parts.umask.toString(8).padStart(3, "0")];
      spawn(process.execPath, argumentsOfRunner, { cwd: "/", env: {}, detached: true, stdio: ["ignore", output, output] })
        .on("error", (error) => log.error("runner.failed", { runner: id, error: describeError(error) }))
        .unref();
    } finally {
      closeSync(output);
    }
  }
}

async function readIdentities(dataDir: string): Promise<readonly RunnerIdentity[]> {
  const found: RunnerIdentity[] = [];
  for (const name of readdirSync(runnersFolder(dataDir)).filter((file) => file.endsWith(".json"))) {
    const text = await readFile(`${runnersFolder(dataDir)}/${name}`, "utf8").catch(() => null);
    // written whole by a runner, under a name that only then exists
    if (text !== null) found.push(JSON.parse(text) as RunnerIdentity);
  }
  return found;
}
