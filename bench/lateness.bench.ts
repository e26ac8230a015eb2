import { tempDir } from "@belfry/test-kit";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startDaemon } from "./daemon.ts";
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
  await using dir = await tempDir();
  const [source, binary, started] = ["started.c", "started", "started.txt"].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(source, program);
  execFileSync("cc", ["-O2", "-o", binary, source]);
  await using daemon = await startDaemon(join(dir.path, "data"));
  const from = Math.ceil(Date.now() / 1_000 + 4) * 1_000;
  for (let number = 0; number < schedules; number++) {
    const startsAt = new Date(from + number * (1_000 / schedules)).toISOString();
    const command = { kind: "exec", program: binary, arguments: [started] };
    const { id } = await daemon.call("POST", "/v1/tasks", { name: `task ${number}`, command });
    await daemon.call("POST", "/v1/schedules", { task_id: id, kind: "interval", every: "1s", starts_at: startsAt });
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
