import { tempDir } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findCronstable } from "./cronstable.ts";
import { startDaemon } from "./daemon.ts";
import { buildProgram, readBursts } from "./program.ts";
import { type Result, show } from "./result.ts";
import { inTurn, percentile, spreadOf } from "./stats.ts";

const atOnce = 100;
const everyMs = 4_000;
const bursts = 5;
const rounds = 2;

interface Side {
  readonly dir: string;
  readonly binary: string;
  /** The file to which the program appends its start times. */
  readonly started: string;
}

type Start = (side: Side) => Promise<AsyncDisposable>;
type Lateness = { readonly half: number; readonly last: number };

/**
 * Runs a hundred schedules that are all due at the same instants, and measures by the clocks of the started programs how
 * late the last one is. The baselines are a bare loop that spawns the same program a hundred times, and cronstable.
 */
export async function benchBurst(): Promise<readonly Result[]> {
  const measured: Record<"ours" | "bare" | "peer", Lateness[]> = { ours: [], bare: [], peer: [] };
  const cronstable = findCronstable();
  const sides: readonly (readonly [keyof typeof measured, Start])[] = [
    ["ours", startSchedules],
    ["bare", startLoop],
    ["peer", (side) => startCronstable(cronstable, side)],
  ];
  for (let round = 0; round < rounds; round++)
    for (const [side, start] of inTurn(round, sides)) measured[side].push(...(await measure(start)));
  return [
    compare(measured, { bare: "bare", baseline: "a bare loop that spawns them", atMost: 1.2 }),
    compare(measured, { bare: "peer", baseline: "cronstable", atMost: 1 }),
  ];
}

function compare(
  measured: Readonly<Record<"ours" | "bare" | "peer", readonly Lateness[]>>,
  { bare, baseline, atMost }: { readonly bare: "bare" | "peer"; readonly baseline: string; readonly atMost: number },
): Result {
  const lastOf = (side: readonly Lateness[]) => spreadOf(side.map(({ last }) => last));
  const ratio = lastOf(measured.ours).median / lastOf(measured[bare]).median;
  const text = (side: readonly Lateness[]) =>
    `half after ${show(spreadOf(side.map(({ half }) => half)))} ms, the last after ${show(lastOf(side))} ms`;
  return {
    name: `${atOnce} due at one instant: until the last program begins, beside ${baseline}`,
    baseline,
    ours: text(measured.ours),
    bare: text(measured[bare]),
    figure: ratio.toFixed(2),
    goal: `≤ ${atMost}`,
    holds: ratio <= atMost,
  };
}

async function measure(start: Start): Promise<readonly Lateness[]> {
  await using dir = await tempDir();
  const program = buildProgram(dir.path);
  await using _side = await start({ dir: dir.path, ...program });
  // the first instant warms up the compiled code
  const from = (Math.floor(Date.now() / everyMs) + 2) * everyMs;
  const until = from + bursts * everyMs;
  await sleepUntil(until - 200);
  const starts = readBursts(program.started, everyMs).filter(({ due }) => due >= from && due < until);
  return Array.from({ length: bursts }, (_, number) => {
    const burst = starts.filter(({ due }) => due === from + number * everyMs).map(({ lateMs }) => lateMs);
    if (burst.length !== atOnce) throw new Error(`${burst.length} of ${atOnce} programs ran`);
    const sorted = burst.sort((a, b) => a - b);
    return { half: percentile(sorted, 50), last: sorted.at(-1)! };
  });
}

function sleepUntil(at: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, at - Date.now()));
}

async function startSchedules({ dir, binary, started }: Side): Promise<AsyncDisposable> {
  const daemon = await startDaemon(join(dir, "data"), `[engine]\nmax_concurrent_runs = ${2 * atOnce}\n`);
  const tasks = Array.from({ length: atOnce }, (_, number) => ({
    key: `t${number}`,
    name: `task ${number}`,
    command: { kind: "exec", program: binary, arguments: [started] },
  }));
  const schedules = tasks.map(({ key }) => ({
    key,
    task_key: key,
    kind: "cron",
    expression: `*/${everyMs / 1_000} * * * * *`,
    time_zone: "UTC",
  }));
  await daemon.call("POST", "/v1/import", { tasks, schedules });
  return daemon;
}

/** A process of its own, as small as the runner: the larger a process, the longer each of its spawns takes. */
async function startLoop({ binary, started }: Side): Promise<AsyncDisposable> {
  return startProcess(process.execPath, [
    join(import.meta.dirname, "bare-burst.ts"),
    binary,
    started,
    String(atOnce),
    String(everyMs),
  ]);
}

async function startCronstable(command: string, { dir, binary, started }: Side): Promise<AsyncDisposable> {
  const jobs = Array.from({ length: atOnce }, (_, number) => [
    `  - name: task-${number}`,
    "    command:",
    `      - ${binary}`,
    `      - ${started}`,
    `    schedule: "*/${everyMs / 1_000} * * * * * *"`,
    "    captureStdout: true",
    "    captureStderr: true",
  ]);
  const path = join(dir, "cronstable.yaml");
  writeFileSync(path, ["jobs:", ...jobs.flat(), ""].join("\n"));
  return startProcess(command, ["-c", path, "-l", "ERROR"]);
}

function startProcess(command: string, args: readonly string[]): AsyncDisposable {
  const child = spawn(command, [...args], { stdio: "ignore" });
  return {
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
