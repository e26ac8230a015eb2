import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createProcessOpener, spawnObserver } from "../../src/features/watchers/observer-process.ts";
import { canMountFuse, mountFuse } from "../support/processes/fuse.ts";

/** A mount whose server answers from another mount: if that one hangs, it has taken a request that it cannot answer. */
async function mountOver(source: string) {
  const dir = await tempDir("bf-");
  const server = spawn("bindfs", ["-f", "--no-allow-other", source, dir.path], { stdio: "ignore" });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  await until("the mount", () => readFileSync("/proc/self/mountinfo", "utf8").includes(` ${dir.path} `));
  return {
    path: dir.path,
    pid: server.pid!,
    [Symbol.asyncDispose]: async () => {
      server.kill("SIGTERM");
      await ended;
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Whether a thread of a process waits for the answer of a FUSE server. */
function waitsForServer(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).some((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/wchan`, "utf8").includes("request_wait");
    } catch {
      // it has just ended
      return false;
    }
  });
}

/** SIGKILL in a set of signals. */
const killSignal = 1n << 8n;

/** Whether a process was sent SIGKILL, and waits without getting it. */
function outlivesKill(pid: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const valueOf = (name: string): string => new RegExp(`^${name}:\\s*(\\w+)`, "m").exec(status)![1]!;
  const isKilled = ["SigPnd", "ShdPnd"].some((name) => (BigInt(`0x${valueOf(name)}`) & killSignal) !== 0n);
  return isKilled && valueOf("State") === "D" && waitsForServer(pid);
}

test.skipIf(!canMountFuse)(
  "an observer whose mount hangs outlives its kill, and is gone once the mount answers",
  async () => {
    await using lower = await mountFuse();
    await using upper = await mountOver(lower.path);
    await using state = await tempDir("bw-");
    const folder = state.path;
    let pid = 0;
    const open = createProcessOpener(() => {
      const child = spawnObserver();
      pid = child.pid!;
      return child;
    });
    const observer = open({
      start: {
        folder,
        runsFolder: folder,
        dataDir: folder,
        hashKey: new Uint8Array(32),
        filesMax: 10,
        mount: upper.path,
      },
      onMessage: () => {},
      onEnd: () => {},
    });
    lower.stop();
    try {
      observer.send({
        is: "observe",
        watcherId: "wch_1",
        watcher: {
          id: "wch_1",
          kind: "directory",
          path: upper.path,
          pattern: "*",
          isRecursive: false,
          onStart: "scan",
          observation: 1,
          observedFrom: 0,
          debounceMs: 100,
          stabilityMs: 100,
          maxWaitMs: 1_000,
        },
        startedAt: null,
      });
      // it has taken the observer's request by then
      await until("the server of the mount waits for the other one", () => waitsForServer(upper.pid));
      let isGone = false;
      const gone = observer.stop().then(() => (isGone = true));
      await until("the kill that does nothing", () => outlivesKill(pid));
      expect(isGone).toBe(false);
      lower.continue();
      await gone;
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    } finally {
      lower.continue();
    }
  },
);
