import { limits } from "@belfry/contract";
import { tempDir } from "@belfry/test-kit";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Daemon, startDaemon } from "./daemon.ts";
import { latenciesWhile, latencyOf } from "./latencies.ts";
import { makeManyRows } from "./many-rows.ts";
import { processorMs, residentMb } from "./process-use.ts";
import { ratioOf, type Result, show } from "./result.ts";
import { percentile, spreadOf } from "./stats.ts";

const counts = { tasks: 100_000, runs: 1_000_000 };
const stored = "100000 tasks with schedules and 1000000 runs stored";
const rounds = 5;
const idleSeconds = 20;
const perSecond = 200;
const atOnce = 1_000;
const seconds = 10;

/** Measures a daemon with a large database: its start, its memory, its lists, and its API beside many runs. */
export async function benchScale(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  const dataDir = join(dir.path, "data");
  await makeManyRows(dataDir, counts);
  const start = await measureStart(dataDir);
  await using daemon = await startDaemon(dataDir, "[engine]\nmax_concurrent_runs = 64\n");
  return [start, ...(await measureIdle(daemon)), await measurePages(daemon), ...(await measureRuns(daemon))];
}

async function measureStart(dataDir: string): Promise<Result> {
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    await using daemon = await startDaemon(dataDir);
    await daemon.call("GET", "/v1/health");
    took.push(performance.now() - from);
  }
  const { median } = spreadOf(took);
  return {
    name: `${stored}: from the daemon's start to its first answer`,
    baseline: "–",
    ours: `${show(spreadOf(took))} ms`,
    bare: "–",
    figure: `${median.toFixed(0)} ms`,
    goal: "≤ 1000 ms",
    holds: median <= 1_000,
  };
}

async function measureIdle(daemon: Daemon): Promise<readonly Result[]> {
  await setTimeout(5_000);
  const pids = [daemon.pid, ...runnersOf(daemon.dataDir)];
  const used = (): number => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  const [before, from] = [used(), performance.now()];
  await setTimeout(idleSeconds * 1_000);
  const percent = ((used() - before) / (performance.now() - from)) * 100;
  const memory = pids.map(residentMb);
  const total = memory.reduce((sum, mb) => sum + mb, 0);
  return [
    {
      name: `${stored}: resident memory of daemon and runner`,
      baseline: "–",
      ours: memory.map((mb) => `${mb.toFixed(0)} MB`).join(" + "),
      bare: "–",
      figure: `${total.toFixed(0)} MB`,
      goal: "≤ 200 MB",
      holds: total <= 200,
    },
    {
      name: `${stored}: processor of daemon and runner while nothing is due`,
      baseline: "–",
      ours: `${percent.toFixed(2)} %`,
      bare: "–",
      figure: `${percent.toFixed(2)} %`,
      goal: "≤ 0.5 %",
      holds: percent <= 0.5,
    },
  ];
}

function runnersOf(dataDir: string): readonly number[] {
  const folder = join(dataDir, "runners");
  const identities = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return identities.map(
    (name) => (JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly pid: number }).pid,
  );
}

/** Compares the first page of all runs to a page near their end. */
async function measurePages(daemon: Daemon): Promise<Result> {
  let cursor = "";
  for (let page = 0; page < (counts.runs / 1_000) * 0.95; page++) {
    const { next_cursor: next } = await daemon.call("GET", `/v1/runs?limit=1000${cursor}`);
    cursor = `&cursor=${next}`;
  }
  // the cursor belongs to its list, whatever the limit
  const read = async (of: string): Promise<number> => {
    const from = performance.now();
    await daemon.call("GET", `/v1/runs?limit=100${of}`);
    return performance.now() - from;
  };
  const [deep, first]: [number[], number[]] = [[], []];
  for (let round = 0; round < 200; round++) {
    deep.push(await read(cursor));
    first.push(await read(""));
  }
  return ratioOf({
    name: "a page of 100 runs near the end of 1000000",
    baseline: "the first page",
    unit: "ms a call",
    atMost: 1.2,
    ours: deep,
    bare: first,
  });
}

/** Measures the API beside runs that are spread evenly, and beside many that are due at one instant. */
async function measureRuns(daemon: Daemon): Promise<readonly Result[]> {
  const idle = await latenciesWhile(daemon.socket, () => setTimeout(seconds * 1_000));
  const { until } = await importDue(daemon, { count: perSecond, spread: true });
  await setTimeout(2_000);
  const beside = await latenciesWhile(daemon.socket, () => setTimeout(until - 1_000 - Date.now()));
  const ratio = percentile(beside, 99) / percentile(idle, 99);
  await setTimeout(3_000);
  const burst = await importDue(daemon, { count: atOnce, spread: false });
  const besideBurst = await latenciesWhile(daemon.socket, async () => {
    await setTimeout(burst.from - Date.now());
    for (;;) {
      const { runs } = await daemon.call("GET", "/v1/runs?state=queued&limit=1");
      if (runs.length === 0 && Date.now() > burst.from + 1_000) return;
      await setTimeout(200);
    }
  });
  const burstP99 = percentile(besideBurst, 99);
  return [
    {
      name: `a read of the API while ${perSecond} runs a second start and end`,
      baseline: "the same while nothing runs",
      ours: latencyOf(beside),
      bare: latencyOf(idle),
      figure: `p99 ${ratio.toFixed(2)} times`,
      goal: "≤ 3",
      holds: ratio <= 3,
    },
    {
      name: `a read of the API while ${atOnce} tasks are due at one instant`,
      baseline: "the same while nothing runs",
      ours: latencyOf(besideBurst),
      bare: latencyOf(idle),
      figure: `p99 ${burstP99.toFixed(1)} ms`,
      goal: "≤ 50 ms",
      holds: burstP99 <= 50,
    },
  ];
}

/** Imports tasks that are due every second, each at its own part of it, or once and all at one instant. */
async function importDue(daemon: Daemon, { count, spread }: { readonly count: number; readonly spread: boolean }) {
  const from = Math.ceil(Date.now() / 1_000) * 1_000 + 4_000;
  const until = from + (seconds + 4) * 1_000;
  const name = spread ? "spread" : "burst";
  const numbers = Array.from({ length: count }, (_, number) => number);
  for (let at = 0; at < count; at += limits.importItemsMax) {
    const part = numbers.slice(at, at + limits.importItemsMax);
    await daemon.call("POST", "/v1/import", {
      tasks: part.map((number) => ({
        key: `t${number}`,
        name: `${name} ${number}`,
        command: { kind: "exec", program: "/bin/true" },
      })),
      schedules: part.map((number) => ({
        key: `s${number}`,
        task_key: `t${number}`,
        ...(spread
          ? {
              kind: "interval",
              every: "1s",
              starts_at: new Date(from + (number * 1_000) / count).toISOString(),
              ends_at: new Date(until).toISOString(),
            }
          : { kind: "once", at: new Date(from).toISOString() }),
      })),
    });
  }
  if (Date.now() >= from) throw new Error("the first instant came before all was set up");
  return { from, until };
}
