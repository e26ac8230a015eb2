import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace, shell, startRunner } from "../support/processes/runner-process.ts";
import { survivorsOf } from "../support/processes/runners.ts";

const leavers = 2_000;
/** The runner has no more files than this for attempts that run at once. */
const openFilesMax = 1_024;
const atOnce = 120;

function memoryMiB(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))!;
  return Math.round(Number(kib) / 1_024);
}

test("2,000 tasks whose background processes hold their output delay no other task, and none of them ends", async () => {
  await using place = await makePlace();
  await using runner = await startRunner(place, { args: ["--nofile", String(openFilesMax)] });
  const daemon = await runner.connect();
  const pid = runner.child.pid!;
  const repeat = async (name: string, run: (attempt: string) => Promise<void>): Promise<void> => {
    let started = 0;
    const next = async (): Promise<void> => {
      while (started < leavers) await run(`${name}${started++}`);
    };
    await Promise.all(Array.from({ length: atOnce }, next));
  };
  // the first tasks make the heap grow: they write as the others do, and leave nothing
  await repeat("plain", async (attempt) => {
    daemon.start(attempt, shell(place, "plain", "echo kept", { outputBytesMax: 4_096 }));
    await daemon.end(attempt);
    daemon.send({ do: "forget", attempt });
  });
  const before = memoryMiB(pid);
  // each writes more than a pipe holds, from time to time, and would die of a pipe without a reader
  const writer = 'trap "" TERM; while :; do sleep 20; head -c 100000 /dev/zero; done';
  const leave = shell(place, "x", `sh -c '${writer}' & echo kept`, { outputBytesMax: 4_096 });
  await repeat("leaver", async (attempt) => {
    daemon.start(attempt, leave);
    expect(await daemon.end(attempt)).toMatchObject({ cause: "exit", exitCode: 0, stdout: { written: 5, cut: 0 } });
    daemon.send({ do: "forget", attempt });
  });
  expect(daemon.count("returned")).toBe(0);
  const numbers = readdirSync(`/proc/${pid}/fd`).map(Number);
  expect(numbers.length).toBeGreaterThan(2 * leavers);
  expect(numbers.filter((fd) => fd < openFilesMax).length).toBeLessThan(100);

  const latencies: number[] = [];
  for (let index = 0; index < 50; index++) {
    const from = performance.now();
    daemon.start(
      `t${index}`,
      shell(place, `t${index}`, '[ "$(ulimit -Sn)" = 1024 ] && echo "$(ls /proc/self/fd | wc -l)"'),
    );
    await daemon.waitFor("started", `t${index}`);
    latencies.push(performance.now() - from);
    expect(await daemon.end(`t${index}`)).toMatchObject({ cause: "exit", exitCode: 0, stdout: { written: 2 } });
  }
  latencies.sort((a, b) => a - b);
  const after = memoryMiB(pid);
  expect(after - before).toBeLessThan(50);
  expect((await survivorsOf(place.notes)).length).toBeGreaterThanOrEqual(leavers);
  console.log(
    `${leavers} leavers: ${before} MiB before, ${after} MiB after; a start takes ${latencies[25]!.toFixed(1)} ms, at most ${latencies.at(-1)!.toFixed(1)}`,
  );
});

test("a runner reports half of the leftovers that it has files for, and once that it has fewer again", async () => {
  await using place = await makePlace();
  // none above the soft limit, 64 for the runner itself, 6 for the next task: 10 leftovers
  await using runner = await startRunner(place, { through: ["prlimit", "--nofile=90:90"] });
  const daemon = await runner.connect();
  const untilHeld = (held: number) =>
    daemon.untilReports(`${held} held`, (reports) =>
      reports.find((report) => report.is === "held" && report.held === held && report.max === 10),
    );
  for (let index = 1; index <= 5; index++) {
    expect(daemon.count("held")).toBe(0);
    const attempt = `a${index}`;
    daemon.start(attempt, shell(place, attempt, 'until [ -e "$NOTES/go" ]; do sleep 0.1; done &'));
    await daemon.end(attempt);
    daemon.send({ do: "forget", attempt });
    await daemon.list();
  }
  await untilHeld(5);
  await writeFile(join(place.notes, "go"), "");
  await untilHeld(4);
  await daemon.list();
  expect(daemon.reports.findLast(({ is }) => is === "held")).toMatchObject({ held: 4 });
});
