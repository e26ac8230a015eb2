import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { tempDir, until } from "@belfry/test-kit";
import { createProcessOpener, spawnObserver } from "./observer-process.ts";
import type { FromObserver } from "./observing/messages.ts";

type Child = ReturnType<Parameters<typeof createProcessOpener>[0]>;

/** Opens an observer with this process, in a folder of its own. */
async function open(spawnChild: () => Child) {
  const dir = await tempDir("bw-");
  const children: Child[] = [];
  const ends: string[] = [];
  const answer = Promise.withResolvers<FromObserver>();
  const host = createProcessOpener(() => {
    const child = spawnChild();
    children.push(child);
    return child;
  })({
    start: {
      folder: dir.path,
      runsFolder: dir.path,
      dataDir: dir.path,
      hashKey: new Uint8Array(32),
      filesMax: 10,
      mount: "/net",
    },
    onMessage: answer.resolve,
    onEnd: (failure) => void ends.push(failure),
  });
  return { host, child: children[0]!, ends, answer: answer.promise, [Symbol.asyncDispose]: dir[Symbol.asyncDispose] };
}

/** A process that waits for its mount: it has got the signal, and does not end before the test says so. */
function unkillable() {
  const signals: unknown[] = [];
  const child = Object.assign(new EventEmitter(), {
    pid: 1,
    connected: true,
    send: () => true,
    kill: (signal: unknown) => signals.push(signal) > 0,
  }) as unknown as Child & EventEmitter;
  return { child, signals };
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a process is stopped once it is gone", async () => {
  await using observer = await open(spawnObserver);
  observer.host.send({ is: "leave", watcherId: "wch_1", isForgotten: false });
  expect(await observer.answer).toMatchObject({ is: "left" });
  const pid = observer.child.pid!;
  expect(isThere(pid)).toBe(true);
  await observer.host.stop();
  expect(isThere(pid)).toBe(false);
  expect(observer.ends).toEqual([]);
  // also if it had ended before
  await observer.host.stop();
});

test("a process that no signal ends is not stopped before its exit", async () => {
  const { child, signals } = unkillable();
  await using observer = await open(() => child);
  let isStopped = false;
  const stopped = observer.host.stop().then(() => (isStopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([signals, isStopped]).toEqual([["SIGKILL"], false]);
  child.emit("exit", null, "SIGKILL");
  await stopped;
  expect(observer.ends).toEqual([]);
});

test("a process that could not be started has an end, and is stopped at once", async () => {
  await using observer = await open(() =>
    spawn("/nonexistent/program", { stdio: ["ignore", "ignore", "ignore", "ipc"] }),
  );
  await until("its end", () => observer.ends.length > 0);
  await observer.host.stop();
  expect(observer.ends).toEqual(["ENOENT"]);
});
