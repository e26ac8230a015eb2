import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callSocket } from "../packages/server/tests/harness.ts";
import { root, startServer } from "./processes.ts";
import { type Result, show } from "./result.ts";
import { percentile, spreadOf } from "./stats.ts";

const schedules = 100;
const seconds = 12;
const rounds = 3;
const latenessMaxMs = 15;

/** Writes the moment its `main` began, in nanoseconds, and the instant it was due for. */
const program = String.raw`
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  char line[200];
  int length = snprintf(line, sizeof line, "%lld %s\n", now.tv_sec * 1000000000LL + now.tv_nsec, getenv("BELFRY_SCHEDULED_FOR"));
  int file = open(argv[1], O_WRONLY | O_APPEND | O_CREAT, 0600);
  return write(file, line, length) == length ? 0 : 1;
}
`;

/** A hundred due a second, spread evenly: how late each started program is by its own clock. */
export async function benchLateness(): Promise<readonly Result[]> {
  const measured = [];
  for (let round = 0; round < rounds; round++) measured.push(await measure());
  const p99 = spreadOf(measured.map((lateness) => percentile(lateness, 99)));
  const p50 = spreadOf(measured.map((lateness) => percentile(lateness, 50)));
  const max = Math.max(...measured.flat());
  const figure = `p99 ${show(p99)} ms`;
  return [
    {
      name: "100 due a second: from the instant to the started program's own clock",
      baseline: "the wall clock",
      ours: `p50 ${show(p50)} ms, ${figure}, max ${max.toFixed(1)} ms`,
      bare: "–",
      figure,
      goal: `p99 ≤ ${latenessMaxMs} ms`,
      holds: p99.median <= latenessMaxMs,
    },
  ];
}

/** Milliseconds, in order. */
async function measure(): Promise<readonly number[]> {
  const dir = mkdtempSync(join(tmpdir(), "bench-"));
  writeFileSync(join(dir, "started.c"), program);
  execFileSync("cc", ["-O2", "-o", join(dir, "started"), join(dir, "started.c")]);
  const dataDir = join(dir, "data");
  const socket = join(dataDir, "belfry.sock");
  const started = join(dir, "started.txt");
  await using _daemon = await startServer(
    [join(root, "packages/server/dist/bundle/belfryd.js"), "--data-dir", dataDir, "--log-level", "warn"],
    socket,
    join(dir, "daemon.log"),
  );
  const from = Math.ceil(Date.now() / 1_000 + 4) * 1_000;
  for (let number = 0; number < schedules; number++) {
    const startsAt = new Date(from + number * (1_000 / schedules)).toISOString();
    const task = await callSocket(socket, {
      method: "POST",
      path: "/v1/tasks",
      body: { name: `task ${number}`, command: { kind: "exec", program: join(dir, "started"), arguments: [started] } },
    });
    await callSocket(socket, {
      method: "POST",
      path: "/v1/schedules",
      body: { task_id: task.json.id, kind: "interval", every: "1s", starts_at: startsAt },
    });
  }
  const until = from + seconds * 1_000;
  while (Date.now() < until + 500) await new Promise((resolve) => setTimeout(resolve, 100));
  const lateness = readFileSync(started, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [at, due] = line.split(" ") as [string, string];
      return { due: Date.parse(due), lateMs: Number(BigInt(at) / 1_000n) / 1_000 - Date.parse(due) };
    })
    // the first two seconds warm up what is compiled as it runs
    .filter(({ due }) => due >= from + 2_000 && due < until)
    .map(({ lateMs }) => lateMs)
    .sort((a, b) => a - b);
  const expected = schedules * (seconds - 2);
  if (lateness.length !== expected) throw new Error(`${lateness.length} of ${expected} instants ran`);
  return lateness;
}
