import { tempDir } from "@belfry/test-kit";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Daemon, startDaemon } from "./daemon.ts";
import { latenciesWhile } from "./latencies.ts";
import type { Shot } from "./load.ts";
import { type Result, show } from "./result.ts";
import { inTurn, percentile, spreadOf } from "./stats.ts";

const rounds = 6;
/** Makes a database of about 100 MB, so that a backup lasts long enough to be measured. */
const imports = 14;
const tasksPerImport = 500;
const scriptBytes = 14_000;
const ratioMax = 2;

/** Measures calls during a backup beside the same calls without one, in the same run. */
export async function benchBackup(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  await using daemon = await startDaemon(join(dir.path, "data"));
  for (let round = 0; round < imports; round++) await daemon.call("POST", "/v1/import", manyTasks(round));
  const { id } = await daemon.call("POST", "/v1/groups", { name: "changed" });
  const change = JSON.stringify({ description: "An audited change" });
  return [
    await measure(daemon, "a read's p99 during a backup", { method: "GET", path: "/v1/health" }),
    await measure(daemon, "a change's p99 during a backup", {
      method: "PATCH",
      path: `/v1/groups/${id}`,
      body: change,
    }),
  ];
}

async function measure(daemon: Daemon, name: string, shot: Shot): Promise<Result> {
  // the first backup brings the database into memory
  let lastedMs = await backUp(daemon);
  const during: number[] = [];
  const without: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const side of inTurn(round, [during, without])) {
      const took = await latenciesWhile(
        daemon.socket,
        async () => {
          if (side === during) lastedMs = await backUp(daemon);
          else await setTimeout(lastedMs);
        },
        shot,
      );
      side.push(percentile(took, 99));
    }
  }
  const ratio = spreadOf(during.map((value, round) => value / without[round]!));
  return {
    name: `${name} of a database of 100 MB`,
    baseline: "the same without one",
    ours: `${show(spreadOf(during))} ms, in ${(lastedMs / 1_000).toFixed(1)} s`,
    bare: `${show(spreadOf(without))} ms`,
    figure: `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`,
    goal: `≤ ${ratioMax}`,
    holds: ratio.median <= ratioMax,
  };
}

/** Reads a whole backup, and returns how long it took. */
async function backUp({ socket: socketPath }: Daemon): Promise<number> {
  const from = performance.now();
  await new Promise<void>((resolve, reject) => {
    const outgoing = request({ socketPath, method: "POST", path: "/v1/backup" }, (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`POST /v1/backup: ${incoming.statusCode}`));
      incoming.on("error", reject).on("end", resolve).resume();
    });
    outgoing.on("error", reject).end();
  });
  return performance.now() - from;
}

function manyTasks(round: number) {
  const script = `true # ${"x".repeat(scriptBytes)}`;
  return {
    groups: [],
    schedules: [],
    tasks: Array.from({ length: tasksPerImport }, (_, index) => ({
      key: `t${index}`,
      name: `task ${round} ${index}`,
      command: { kind: "shell", script },
    })),
  };
}
