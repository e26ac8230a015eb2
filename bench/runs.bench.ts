import { limits } from "@belfry/contract";
import { tempDir } from "@belfry/test-kit";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { type Order, type Report } from "../packages/server/src/runner/protocol/messages.ts";
import { startDaemon } from "./daemon.ts";
import { root } from "./processes.ts";
import { ratioOf, type Result } from "./result.ts";
import { inTurn } from "./stats.ts";

const rounds = 10;
const runsARound = limits.importItemsMax;
const atOnce = 16;

/**
 * Compares the rate of complete runs, durable at each step, to a bare Node loop that starts the same program, and to
 * the runner alone with orders from a loop that stores nothing.
 */
export async function benchRuns(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  const ours: number[] = [];
  const alone: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const sides = [
      async () => ours.push(await throughDaemon(join(dir.path, `d${round}`))),
      async () => alone.push(await throughRunner(join(dir.path, `r${round}`))),
      async () => bare.push(await throughBareLoop()),
    ];
    for (const side of inTurn(round, sides)) await side();
  }
  return [
    ratioOf({
      name: "runs with their full durable life, beside a loop that keeps nothing",
      baseline: "a bare Node loop that starts the same program, 16 at once",
      unit: "runs/s",
      atLeast: 0.6,
      ours,
      bare,
    }),
    ratioOf({
      name: "runs with their full durable life",
      baseline: "the runner alone, fed by a bare loop",
      unit: "runs/s",
      // the daemon writes on the second of two processors, beside the tasks: what the runner saves counts against it here
      atLeast: 0.65,
      ours,
      bare: alone,
    }),
  ];
}

/**
 * Measures runs that are all due at the same time: the ticker records them, and the engine starts, ends and forgets
 * them.
 */
async function throughDaemon(dataDir: string): Promise<number> {
  await using daemon = await startDaemon(dataDir, `[engine]\nmax_concurrent_runs = ${atOnce}\n`);
  const at = Date.now() + 3_000;
  const tasks = [
    {
      key: "true",
      name: "true",
      command: { kind: "exec", program: "/bin/true" },
      concurrency: { limit: atOnce },
      retention: { runs: 10 * runsARound },
    },
  ];
  const schedules = Array.from({ length: runsARound }, (_, number) => ({
    key: `s${number}`,
    task_key: "true",
    name: `s${number}`,
    kind: "once",
    at: new Date(at).toISOString(),
  }));
  await daemon.call("POST", "/v1/import", { tasks, schedules });
  for (const giveUpAt = at + 60_000; Date.now() < giveUpAt;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    // poll for one run only: reading a thousand runs each time would affect the measurement
    const waiting = await daemon.call("GET", "/v1/runs?state=queued&limit=1");
    if (waiting.runs.length > 0 || Date.now() < at) continue;
    const { runs } = await daemon.call("GET", "/v1/runs?state=succeeded&limit=1000");
    if (runs.length < runsARound) continue;
    const lastEnd = Math.max(...runs.map((run: { readonly ended_at: string }) => Date.parse(run.ended_at)));
    return runsARound / ((lastEnd - at) / 1_000);
  }
  throw new Error("the runs did not end");
}

async function throughBareLoop(): Promise<number> {
  const script = join(root, "bench", "bare-starts.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(runsARound), String(atOnce)], {
    encoding: "utf8",
  });
  return Number(stdout);
}

async function throughRunner(dataDir: string): Promise<number> {
  for (const folder of ["runners", "attempts/live", "log"])
    mkdirSync(join(dataDir, folder), { recursive: true, mode: 0o700 });
  const child = spawn(
    process.execPath,
    // as the daemon starts it
    [
      "--max-semi-space-size=2",
      join(root, "packages/server/dist/bundle/runner.js"),
      "--data-dir",
      dataDir,
      "--id",
      "bench",
    ],
    { stdio: "ignore" },
  );
  const line = await dial(join(dataDir, "runners", "bench.sock"));
  const say = (order: Order): void => void line.write(`${JSON.stringify(order)}\n`);
  const environment = { PATH: "/usr/bin:/bin" };
  const spec = {
    program: "/bin/true",
    arguments: [],
    directory: "/",
    environment,
    standardInput: null,
    timeoutMs: null,
    graceMs: 10_000,
    outputBytesMax: 10 * 1024 * 1024,
  };
  let started = 0;
  let ended = 0;
  const startNext = (): void => {
    if (started === runsARound) return;
    const number = started++;
    const marks = { BELFRY_RUN_ID: `run_${number}`, BELFRY_ATTEMPT: "1" };
    say({
      do: "start",
      version: 1,
      attempt: `att_${String(number).padStart(20, "0")}`,
      spec: { ...spec, environment: { ...environment, ...marks } },
    });
  };
  const from = performance.now();
  const rate = await new Promise<number>((resolve) => {
    createInterface(line).on("line", (text) => {
      const report = JSON.parse(text) as Report;
      if (report.is !== "ended") return;
      say({ do: "forget", attempt: report.attempt });
      if (++ended === runsARound) resolve(runsARound / ((performance.now() - from) / 1_000));
      else startNext();
    });
    for (let slot = 0; slot < atOnce; slot++) startNext();
  });
  line.destroy();
  // an idle runner without a daemon exits by itself
  if (child.exitCode === null) await once(child, "exit");
  return rate;
}

async function dial(socketPath: string): Promise<Socket> {
  for (let tries = 0; tries < 500; tries++) {
    if (existsSync(socketPath)) {
      const socket = connect(socketPath);
      const isOpen = await new Promise<boolean>(
        (resolve) => void socket.once("connect", () => resolve(true)).once("error", () => resolve(false)),
      );
      if (isOpen) return socket;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`no runner answers at ${socketPath}`);
}
