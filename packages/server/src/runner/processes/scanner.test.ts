import { tempDir } from "@belfry/test-kit";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock, within } from "../../kernel/time/clock.ts";
import { parseMark } from "./mark-reader.ts";
import { readStat } from "./processes.ts";
import { Scanner } from "./scanner.ts";

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

/** Processes of one attempt, and the reading of their environments: it hangs in a thread for the first ones. */
async function startHanging(hangingCount: number) {
  const dir = await tempDir();
  const fifo = join(dir.path, "fifo");
  execFileSync("mkfifo", [fifo]);
  const environment = { BELFRY_RUN_ID: "run_h", BELFRY_ATTEMPT: "1" };
  const children = Array.from({ length: 6 }, () =>
    spawn("/bin/sleep", ["60"], { env: environment, stdio: "ignore" }),
  ).toSorted((a, b) => a.pid! - b.pid!);
  const hanging = new Set(children.slice(0, hangingCount).map(({ pid }) => pid!));
  return {
    pids: children.map(({ pid }) => pid!),
    since: readStat(children[0]!.pid!)!.startTime,
    // processes of others may end meanwhile
    scanner: new Scanner(systemClock, (pid) =>
      hanging.has(pid) ? readFile(fifo, "utf8") : readFile(`/proc/${pid}/environ`, "utf8").catch(() => ""),
    ),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const child of children) child.kill("SIGKILL");
      closeSync(openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK));
      await dir[Symbol.asyncDispose]();
    },
  };
}

test("a process whose environment cannot be read hides no other process and no other mark", async () => {
  await using hanging = await startHanging(1);
  const seen = await hanging.scanner.scan(hanging.since);
  const marks = hanging.pids.map((pid) => seen.find((each) => each.pid === pid)?.mark?.runId ?? null);
  expect(marks).toEqual([null, ...Array.from({ length: 5 }, () => "run_h")]);
});

test("many processes that hang leave threads for the files of everything else", async () => {
  await using hanging = await startHanging(5);
  for (let time = 0; time < 2; time++) {
    const seen = new Set((await hanging.scanner.scan(hanging.since)).map(({ pid }) => pid));
    expect(hanging.pids.every((pid) => seen.has(pid))).toBe(true);
    expect(await within(systemClock, 10_000, readFile("/proc/self/comm", "utf8"))).toBeTypeOf("string");
  }
});
