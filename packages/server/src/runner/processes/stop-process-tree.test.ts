import { ManualClock, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isRunning, readStat } from "./processes.ts";
import type { SeenProcess } from "./scanner.ts";
import { killBoundMs, Stop } from "./stop-process-tree.ts";

/** What a look finds is what the test says; how often it looked is counted. */
function scannerOf(find: () => readonly SeenProcess[]) {
  const scanner = { looks: 0, look: () => (scanner.looks++, Promise.resolve().then(find)) };
  return scanner;
}

/** A process that no signal reaches: it does not exist. */
const undying: SeenProcess = {
  pid: 2 ** 22 + 7,
  startTime: 60,
  parent: 1,
  group: 1,
  session: 1,
  isZombie: false,
  mark: { runId: "r", attempt: "1" },
};
const target = { main: null, mark: undying.mark, since: 50 };

test("a stop gives up thirty seconds after KILL, and names who would not go", async () => {
  const clock = new ManualClock();
  const scanner = scannerOf(() => [undying]);
  let remaining: readonly number[] | null = null;
  void new Stop(target, { graceMs: 10_000, clock, scanner }).run().then((pids) => (remaining = pids));
  await clock.advance(10_000 + killBoundMs - 600);
  expect(remaining).toBeNull();
  await clock.advance(1_200);
  expect(remaining).toEqual([undying.pid]);
  expect(scanner.looks).toBeLessThan(200);
});

test("a stop is over when two looks in a row find nobody, and a look that fails finds nothing out", async () => {
  const clock = new ManualClock();
  const finds = [[undying], [], [undying], "fails", [], "fails", [], []] as const;
  const left = [...finds];
  const scanner = scannerOf(() => {
    const found = left.shift()!;
    if (found === "fails") throw new Error("no room to look");
    return found;
  });
  let remaining: readonly number[] | null = null;
  void new Stop(target, { graceMs: 0, clock, scanner }).run().then((pids) => (remaining = pids));
  await clock.advance(10_000);
  expect(remaining).toEqual([]);
  expect(scanner.looks).toBe(finds.length);
});

test("a group is signalled only while one of the attempt's own is seen in it", async () => {
  const stranger = spawn("/bin/sleep", ["60"], { detached: true, stdio: "ignore" });
  const ended = once(stranger, "exit");
  const stat = readStat(stranger.pid!)!;
  const clock = new ManualClock();
  // the attempt's main process had this number, and is gone
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
