import { until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isRunning, parseStat, readStat, signalGroup, signalProcess } from "./processes.ts";

const fieldsAfterGroup = "17 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 10 20";

test("a process is parsed, whatever its name contains", () => {
  expect(parseStat(`41 (a) R 1 (b)\n) S 7 9 ${fieldsAfterGroup}`)).toEqual({
    pid: 41,
    parent: 7,
    group: 9,
    session: 17,
    startTime: 987654,
    isZombie: false,
  });
  expect(parseStat(`41 (x) Z 7 9 ${fieldsAfterGroup}`).isZombie).toBe(true);
  const withTwoThreads = fieldsAfterGroup.replace("20 0 1 0", "20 0 2 0");
  expect(parseStat(`41 (x) Z 7 9 ${withTwoThreads}`).isZombie).toBe(false);
  expect(parseStat(`41 (x) X 7 9 ${withTwoThreads}`).isZombie).toBe(true);
});

const hasPython = existsSync("/usr/bin/python3");

test.skipIf(!hasPython)("a process whose main thread has ended runs until its last thread ends", async () => {
  const script = `import ctypes, sys, threading
threading.Thread(target=sys.stdin.read).start()
ctypes.CDLL(None).pthread_exit(None)`;
  const child = spawn("/usr/bin/python3", ["-c", script], { stdio: ["pipe", "ignore", "inherit"] });
  const stateOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)![0];
  await until("the end of the main thread", () => stateOf(child.pid!) === "Z");
  const stat = readStat(child.pid!)!;
  expect([stat.isZombie, isRunning(stat)]).toEqual([false, true]);
  signalProcess(stat, "SIGTERM");
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  expect(signal).toBe("SIGTERM");
  expect(isRunning(stat)).toBe(false);
});

test("a missing process, a later process with the same pid and a zombie are not running", async () => {
  const own = readStat(process.pid)!;
  expect(isRunning(own)).toBe(true);
  expect(isRunning({ ...own, startTime: own.startTime - 1 })).toBe(false);
  expect(readStat(2 ** 22 + 1)).toBeNull();
  expect(isRunning({ pid: 2 ** 22 + 1, startTime: 1 })).toBe(false);
  // the parent replaces itself with a program that never waits for its child; as a shell, it would notice the child's end
  const child = 'until [ "$(cat /proc/$$/comm)" = sleep ]; do :; done';
  const script = `{ ${child}; } & echo $!; exec sleep 60`;
  const parent = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const zombie = await until("a zombie", () => {
    const stat = readStat(Number(line.toString()));
    return stat?.isZombie === true ? stat : null;
  });
  expect(isRunning(zombie)).toBe(false);
  parent.kill("SIGKILL");
  await once(parent, "exit");
});

test("a signal reaches neither a process nor a group whose number has been reused", async () => {
  const child = spawn("/bin/sleep", ["60"], { detached: true, stdio: "ignore" });
  const ended = once(child, "exit");
  const stat = readStat(child.pid!)!;
  const former = { ...stat, startTime: stat.startTime - 1 };
  signalProcess(former, "SIGKILL");
  signalGroup(stat.group, [former], "SIGKILL");
  // a live witness in another group
  signalGroup(stat.group, [readStat(process.pid)!], "SIGKILL");
  expect(isRunning(stat)).toBe(true);
  signalGroup(stat.group, [former, stat], "SIGTERM");
  expect(await ended).toEqual([null, "SIGTERM"]);
});
