import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Shot } from "./load.ts";
import { percentile } from "./stats.ts";

const health: Shot = { method: "GET", path: "/v1/health" };

/** Measures calls that a thread sends one after another while `work` runs. Returns their durations in ascending order. */
export async function latenciesWhile(
  socket: string,
  work: () => Promise<unknown>,
  shot = health,
): Promise<readonly number[]> {
  const probe = new Worker(new URL("latency-probe.ts", import.meta.url), { workerData: { socket, shot } });
  await work();
  probe.postMessage("stop");
  const [took] = (await once(probe, "message")) as [number[]];
  return took.sort((a, b) => a - b);
}

/** Describes durations in ascending order. */
export function latencyOf(sorted: readonly number[]): string {
  return `p50 ${percentile(sorted, 50).toFixed(1)} ms, p99 ${percentile(sorted, 99).toFixed(1)} ms, max ${sorted.at(-1)!.toFixed(1)} ms`;
}
