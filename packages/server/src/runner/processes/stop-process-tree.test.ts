import { ManualClock, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isRunning, readStat } from "./processes.ts";
import type { SeenProcess } from "./scanner.ts";
import { killTimeoutMs, Stop } from "./stop-process-tree.ts";

/** A scanner that finds the processes from the test, and counts its scans. */
function scannerOf(find: () => readonly SeenProcess[]) {
  const scanner = { scans: 0, scan: () => (scanner.scans++, Promise.resolve().then(find)) };
  return scanner;
}

/** No signal reaches this process, because it does not exist. */
const undying: SeenProcess = {
  pid: 2 ** 22 + 7,
  startTime: 60,
  parent: 1,
  group: 1,
  session: 1,
  isZombie: false,
  mark: { runId: "r", attempt: "1" },
};
const target = { main: null, mark: undying.mark, since: 50, cgroup: null, hasExited: false, exitTicks: null };

test("a stop gives up thirty seconds after KILL, and names the processes that did not end", async () => {
  const clock = new ManualClock();
  const scanner = scannerOf(() => [undying]);
  let remaining: readonly number[] | null = null;
  void new Stop(target, { graceMs: 10_000, clock, scanner }).run().then((pids) => (remaining = pids));
  await clock.advance(10_000 + killTimeoutMs - 600);
  expect(remaining).toBeNull();
  await clock.advance(1_200);
  expect(remaining).toEqual([undying.pid]);
  expect(scanner.scans).toBeLessThan(200);
});

test("a stop is over when two scans in a row find no process, and a failed scan does not count", async () => {
  const clock = new ManualClock();
  const finds = [[undying], [], [undying], "fails", [], "fails", [], []] as const;
  const left = [...finds];
  const scanner = scannerOf(() => {
    const found = left.shift()!;
    if (found === "fails") throw new Error("no free file descriptor");
    return found;
  });
  let remaining: readonly number[] | null = null;
  void new Stop(target, { graceMs: 0, clock, scanner }).run().then((pids) => (remaining = pids));
  await clock.advance(10_000);
  expect(remaining).toEqual([]);
  expect(scanner.scans).toBe(finds.length);
});

test("a group is signalled only while a process of the attempt is in it", async () => {
  const stranger = spawn("/bin/sleep", ["60"], { detached: true, stdio: "ignore" });
  const ended = once(stranger, "exit");
  const stat = readStat(stranger.pid!)!;
  const clock = new ManualClock();
  // an ended process of the attempt had the same pid as this process
  const former = { ...target, main: { pid: stat.pid, startTime: stat.startTime - 1 }, since: stat.startTime - 1 };
  const seen = { ...stat, mark: null };
  let remaining: readonly number[] | null = null;
  void new Stop(former, { graceMs: 1_000, clock, scanner: scannerOf(() => [seen]) })
    .run()
    .then((pids) => (remaining = pids));
  await until("over", async () => {
    await clock.advance(100);
    return remaining !== null;
  });
  expect(remaining).toEqual([]);
  expect(isRunning(stat)).toBe(true);
  stranger.kill("SIGKILL");
  await ended;
});

test.each([
  ["begins with TERM, however long the first scan takes", [], "SIGTERM"],
  ["that was removed before TERM leaves no time for TERM", [0], "SIGKILL"],
  ["that was shortened before TERM still begins with TERM", [500], "SIGTERM"],
] as const)("a grace %s", async (_, shortened, signal) => {
  const child = spawn("/bin/sleep", ["60"], { detached: true, stdio: "ignore" });
  const ended = once(child, "exit");
  const main = readStat(child.pid!)!;
  const clock = new ManualClock();
  const scanned = Promise.withResolvers<readonly SeenProcess[]>();
  const scanner = { scan: () => scanned.promise };
  const stop = new Stop({ ...target, main, since: main.startTime }, { graceMs: 1_000, clock, scanner });
  const remaining = stop.run();
  for (const graceMs of shortened) stop.shortenGrace(graceMs);
  await clock.advance(60_000);
  expect(isRunning(main)).toBe(true);
  scanned.resolve([]);
  expect(await ended).toEqual([null, signal]);
  stop.lookNow();
  expect(await remaining).toEqual([]);
});
