import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { systemClock } from "../../kernel/time/clock.ts";
import { readStat } from "./processes.ts";
import { parseMark, Scanner } from "./scanner.ts";

test("a mark is read from its two variables, whatever else the environment contains", () => {
  expect(parseMark("A=1\0BELFRY_RUN_ID=run_a\0B\0BELFRY_ATTEMPT=2\0")).toEqual({ runId: "run_a", attempt: "2" });
  expect(parseMark("BELFRY_RUN_ID=a=b\0BELFRY_ATTEMPT=\0")).toEqual({ runId: "a=b", attempt: "" });
  expect(parseMark("BELFRY_RUN_ID=run_a\0XBELFRY_ATTEMPT=2")).toBeNull();
  expect(parseMark("")).toBeNull();
});

test("a scan finds the processes since a start time with their marks, and answers every caller that asked before it", async () => {
  const child = spawn("/bin/sleep", ["60"], { env: { BELFRY_RUN_ID: "run_s", BELFRY_ATTEMPT: "3" }, stdio: "ignore" });
  const ended = once(child, "exit");
  const { pid, startTime } = readStat(child.pid!)!;
  const scanner = new Scanner(systemClock);
  const first = scanner.scan(startTime);
  const [second, third] = [scanner.scan(startTime), scanner.scan(startTime + 1)];
  expect(await first).toContainEqual(
    expect.objectContaining({ pid, startTime, parent: process.pid, mark: { runId: "run_s", attempt: "3" } }),
  );
  expect((await first).every((seen) => seen.startTime >= startTime)).toBe(true);
  expect(await second).toBe(await third);
  expect(await second).not.toBe(await first);
  child.kill("SIGKILL");
  await ended;
});
