import { tempDir } from "@belfry/test-kit";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "@belfry/contract";
import { startDaemon } from "./daemon.ts";
import type { Result } from "./result.ts";
import { latenciesWhile, latencyOf } from "./latencies.ts";
import { percentile } from "./stats.ts";

const imports = 8;
const latencyMaxMs = 100;
const memoryMaxMb = 300;

/**
 * Imports the largest allowed files, one after another. Measures the latency of other calls and the daemon's memory.
 */
export async function benchImport(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  await using daemon = await startDaemon(join(dir.path, "data"));
  const quiet = await latenciesWhile(daemon.socket, () => new Promise((resolve) => setTimeout(resolve, 2_000)));
  const beside = await latenciesWhile(daemon.socket, async () => {
    for (let round = 0; round < imports; round++) await daemon.call("POST", "/v1/import", largestFile(round));
  });
  const p99 = percentile(beside, 99);
  const peakMb = peakMemoryMb(daemon.pid);
  return [
    {
      name: `a read beside imports of 8 MiB with ${3 * limits.importItemsMax} items each`,
      baseline: "the same beside nothing",
      ours: latencyOf(beside),
      bare: latencyOf(quiet),
      figure: `p99 ${p99.toFixed(1)} ms`,
      goal: `p99 ≤ ${latencyMaxMs} ms`,
      holds: p99 <= latencyMaxMs,
    },
    {
      name: "memory while files of 8 MiB are imported",
      baseline: "–",
      ours: `${peakMb.toFixed(0)} MB at most`,
      bare: "–",
      figure: `${peakMb.toFixed(0)} MB`,
      goal: `≤ ${memoryMaxMb} MB`,
      holds: peakMb <= memoryMaxMb,
    },
  ];
}

function largestFile(round: number) {
  const most = Array.from({ length: limits.importItemsMax }, (_, index) => index);
  const script = `true # ${"x".repeat(15_000)}`;
  return {
    groups: most.map((index) => ({ key: `g${index}`, name: `group ${round} ${index}` })),
    tasks: most.map((index) => ({
      key: `t${index}`,
      group_key: `g${index}`,
      name: `task ${round} ${index}`,
      command: { kind: "shell", script },
    })),
    schedules: most.map((index) => ({
      key: `s${index}`,
      task_key: `t${index}`,
      kind: "cron",
      expression: "0 3 1 1 *",
    })),
  };
}

function peakMemoryMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1_024;
}
