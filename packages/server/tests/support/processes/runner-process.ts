import { tempDir, until } from "@belfry/test-kit";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerFlags } from "../../../src/features/engine/runners/runner-process.ts";
import { programEnvironment } from "../../../src/kernel/thread.ts";
import { readLines, writeLine } from "../../../src/runner/protocol/lines.ts";
import {
  type AttemptEnd,
  type AttemptSpec,
  type Order,
  type Report,
  startVersionOf,
} from "../../../src/runner/protocol/messages.ts";
import { claimFolder, liveFolder, runnerPlaces } from "../../../src/runner/places.ts";
import type { ProcessId } from "../../../src/runner/processes/processes.ts";
import { createChanges } from "../changes.ts";
import { survivorsOf } from "./runners.ts";

const program = fileURLToPath(new URL("../../../src/runner/main.ts", import.meta.url));

export interface Place extends AsyncDisposable {
  readonly dataDir: string;
  /** For files that tasks of the test write themselves. */
  readonly notes: string;
}

/** A data directory; its end kills every process that has it in its environment. */
export async function makePlace(): Promise<Place> {
  const dir = await tempDir("br-");
  const notes = join(dir.path, "notes");
  await mkdir(notes);
  return {
    dataDir: join(dir.path, "data"),
    notes,
    [Symbol.asyncDispose]: async () => {
      for (const pid of await survivorsOf(dir.path)) if (Number(pid) !== process.pid) kill(Number(pid));
      await dir[Symbol.asyncDispose]();
    },
  };
}

export interface RunnerProcess extends AsyncDisposable {
  readonly id: string;
  readonly child: ChildProcess;
  readonly connect: () => Promise<DaemonSide>;
  readonly kill: () => Promise<void>;
}

export interface RunnerOptions {
  readonly id?: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The command through which Node is started. */
  readonly through?: readonly string[];
}

/** Resolves when the runner listens; rejects with its output if it ends instead. */
export async function startRunner(place: Place, options: RunnerOptions = {}): Promise<RunnerProcess> {
  const {
    id = "r1",
    args = [],
    environment = { PATH: "/usr/bin:/bin", ...programEnvironment },
    through = [],
  } = options;
  await mkdir(liveFolder(place.dataDir), { recursive: true, mode: 0o700 });
  const node = [process.execPath, ...runnerFlags, program, "--data-dir", place.dataDir, "--id", id, ...args];
  const [command, ...rest] = [...through, ...node];
  const child = spawn(command!, rest, {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: environment,
    cwd: "/",
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const { identity, socket } = runnerPlaces(place.dataDir, id);
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  await until("the runner listens", async () => {
    if (child.exitCode !== null) throw new Error(`the runner ended: ${said}`);
    const owner = await readFile(identity, "utf8").catch(() => "{}");
    // a connection that ends would make it a former runner, which leaves
    return (JSON.parse(owner) as Partial<ProcessId>).pid === child.pid && existsSync(socket);
  });
  return { id, child, connect: () => connectTo(socket), kill: end, [Symbol.asyncDispose]: end };
}

/** The daemon's end of the connection: sends orders, collects reports. */
export class DaemonSide {
  readonly reports: Report[] = [];
  readonly #socket: Socket;
  readonly #changes = createChanges();

  constructor(socket: Socket) {
    this.#socket = socket;
    readLines(socket, (line) => {
      this.reports.push(JSON.parse(line) as Report);
      this.#changes.report();
    });
    socket.on("error", () => {});
  }

  send(...orders: readonly Order[]): void {
    this.#socket.cork();
    for (const order of orders) writeLine(this.#socket, order);
    this.#socket.uncork();
  }

  sendText(text: string): void {
    this.#socket.write(text);
  }

  start(attempt: string, spec: AttemptSpec): void {
    this.send({ do: "start", version: startVersionOf(spec), attempt, spec });
  }

  cancel(attempt: string, graceMs: number): void {
    this.send({ do: "cancel", attempt, cause: "cancelled", graceMs });
  }

  /** Waits for the first report of this kind on this attempt since this side connected. */
  async waitFor<TKind extends "started" | "ended" | "returned" | "refused">(is: TKind, attempt: string) {
    return this.untilReports(`${is} ${attempt}`, (reports) =>
      reports.find(
        (report): report is Extract<Report, { is: TKind }> => report.is === is && report.attempt === attempt,
      ),
    );
  }

  /** Checks now, and again after each report. */
  untilReports<T>(what: string, look: (reports: readonly Report[]) => T): Promise<NonNullable<T>> {
    return this.#changes.until(what, () => look(this.reports));
  }

  async end(attempt: string): Promise<AttemptEnd> {
    return (await this.waitFor("ended", attempt)).end;
  }

  /** Orders a list, and returns its reports. By then the runner has read every earlier order. */
  async list(): Promise<readonly Report[]> {
    const before = this.reports.length;
    const listed = this.count("listed");
    this.send({ do: "list" });
    await this.untilReports("listed", () => this.count("listed") > listed);
    return this.reports.slice(before).filter(({ is }) => is !== "listed");
  }

  /** Waits until every attempt that the runner lists has ended. The file with an end is there before its report. */
  async untilEndsListed(): Promise<void> {
    await until("only ends are listed", async () => (await this.list()).every(({ is }) => is === "ended"));
  }

  /** Orders the runner to forget the attempt, and waits until it lists the attempt no more. */
  async forget(attempt: string): Promise<void> {
    this.send({ do: "forget", attempt });
    const isOfAttempt = (report: Report): boolean => "attempt" in report && report.attempt === attempt;
    await until(`${attempt} is forgotten`, async () => !(await this.list()).some(isOfAttempt));
  }

  get isClosed(): boolean {
    return this.#socket.closed;
  }

  close(): void {
    this.#socket.destroy();
  }

  count(is: Report["is"]): number {
    return this.reports.filter((report) => report.is === is).length;
  }
}

/** A task of one shell script. `NOTES` is for its own files, `CLAIM` is its folder. */
export function shell(place: Place, attempt: string, script: string, more: Partial<AttemptSpec> = {}): AttemptSpec {
  return {
    program: "/bin/sh",
    arguments: ["-c", script],
    directory: "/",
    environment: {
      PATH: "/usr/bin:/bin",
      NOTES: place.notes,
      CLAIM: claimFolder(place.dataDir, attempt),
      BELFRY_RUN_ID: `run_${attempt}_${place.notes}`,
      BELFRY_ATTEMPT: "1",
    },
    standardInput: null,
    timeoutMs: null,
    graceMs: 10_000,
    outputBytesMax: 1024 * 1024,
    ...more,
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // the process has ended meanwhile
  }
}

async function connectTo(path: string): Promise<DaemonSide> {
  const socket = await until("the runner listens", () => dial(path).catch(() => null));
  const side = new DaemonSide(socket);
  await side.untilReports("hello", (reports) => reports.length > 0);
  return side;
}

async function dial(path: string): Promise<Socket> {
  const socket = connect(path);
  await once(socket, "connect");
  return socket;
}
