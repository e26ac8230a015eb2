import { ManualClock, until } from "@belfry/test-kit";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { systemClock } from "../../kernel/time/clock.ts";
import { countBytesIn } from "../processes/libc.ts";
import { OpenFiles } from "../processes/limits.ts";
import { OutputPipe } from "./output-pipe.ts";
import { makeOutputPipe } from "./pipes.ts";

/** A disk that finishes a write only when the test allows it. */
function slowDisk() {
  const chunks: Buffer[] = [];
  let release: (() => void) | null = null;
  let onChunk = (): void => {};
  return {
    chunks,
    /** Resolves when a write is in flight. */
    untilBusy: (): Promise<void> =>
      new Promise((resolve) => {
        if (release === null) onChunk = resolve;
        else resolve();
      }),
    get isBusy() {
      return release !== null;
    },
    add: (chunk: Uint8Array): Promise<void> => {
      expect(release).toBeNull();
      chunks.push(Buffer.from(chunk));
      const written = new Promise<void>((resolve) => (release = resolve));
      onChunk();
      return written;
    },
    finishOne: () => {
      const finish = release;
      release = null;
      finish?.();
    },
  };
}

test("a pipe is not read during a write, so that a slow disk delays its own task and no other", async () => {
  const [slow, fast] = [makeOutputPipe(), makeOutputPipe()];
  const [slowKept, fastKept] = [slowDisk(), slowDisk()];
  const [slowPipe, fastPipe] = [new OutputPipe(slow.own, slowKept), new OutputPipe(fast.own, fastKept)];
  const [slowTask, fastTask] = [slow.task, fast.task].map((fd) => new Socket({ fd, readable: false, writable: true }));
  const bytes = Buffer.alloc(4 * 1024 * 1024, "x");
  const wrote = once(slowTask!.end(bytes), "finish");
  await slowKept.untilBusy();
  fastTask!.write("one");
  await fastKept.untilBusy();
  fastKept.finishOne();
  fastTask!.end("two");
  await fastKept.untilBusy();
  expect(fastKept.chunks).toHaveLength(2);
  fastKept.finishOne();
  await fastPipe.closed;
  expect(slowKept.chunks).toHaveLength(1);
  expect(slowTask!.writableLength).toBeGreaterThan(0);

  for (;;) {
    await slowKept.untilBusy();
    slowKept.finishOne();
    if (Buffer.concat(slowKept.chunks).length === bytes.length) break;
  }
  await wrote;
  await slowPipe.closed;
  await fastPipe.emptied(new ManualClock());
});

test("a pipe that a process still holds is emptied when all its bytes are kept, and later bytes are dropped", async () => {
  const { own, task } = makeOutputPipe();
  const kept = slowDisk();
  const pipe = new OutputPipe(own, kept);
  const holder = new Socket({ fd: task, readable: false, writable: true });
  holder.write(Buffer.alloc(100_000, "x"));
  await kept.untilBusy();
  let isEmptied = false;
  const emptied = pipe.emptied(systemClock).then(() => (isEmptied = true));
  await until("emptied", () => {
    expect(isEmptied && kept.isBusy).toBe(false);
    kept.finishOne();
    return isEmptied;
  });
  await emptied;
  expect(Buffer.concat(kept.chunks)).toHaveLength(100_000);
  pipe.drop(new OpenFiles(null));
  await once(holder.end("late"), "finish");
  await pipe.closed;
  expect(Buffer.concat(kept.chunks)).toHaveLength(100_000);
});

test("bytes in a pipe are kept although this process is busy right after a slow write", async () => {
  const { own, task } = makeOutputPipe();
  const kept = slowDisk();
  const chunk = Buffer.alloc(65_536, "x");
  writeSync(task, chunk);
  const pipe = new OutputPipe(own, kept);
  await kept.untilBusy();
  writeSync(task, chunk);
  await until("the socket's buffer is full", () => countBytesIn(own) === 0);
  writeSync(task, chunk);
  let isEmptied = false;
  const emptied = pipe.emptied(systemClock).then(() => {
    isEmptied = true;
    pipe.drop(new OpenFiles(null));
  });
  // after this phase, the loop calls each timer that is due before it reads the pipe
  await new Promise((resolve) => setImmediate(resolve));
  kept.finishOne();
  await kept.untilBusy();
  kept.finishOne();
  const end = performance.now() + 100;
  while (performance.now() < end);
  await until("emptied", () => {
    kept.finishOne();
    return isEmptied;
  });
  await emptied;
  expect(Buffer.concat(kept.chunks)).toHaveLength(3 * chunk.length);
  closeSync(task);
  await pipe.closed;
});

test("a pipe that the task has enlarged is emptied too", async () => {
  const { own, task } = makeOutputPipe();
  const bytes = 1024 * 1024;
  const enlarge = `import fcntl; fcntl.fcntl(1, 1031, ${bytes})`;
  expect(spawnSync("python3", ["-c", enlarge], { stdio: ["ignore", task, "inherit"] }).status).toBe(0);
  writeSync(task, Buffer.alloc(bytes, "x"));
  const kept = slowDisk();
  const pipe = new OutputPipe(own, kept);
  let isEmptied = false;
  const emptied = pipe.emptied(systemClock).then(() => {
    isEmptied = true;
    pipe.drop(new OpenFiles(null));
  });
  await until("emptied", () => {
    kept.finishOne();
    return isEmptied;
  });
  await emptied;
  expect(Buffer.concat(kept.chunks)).toHaveLength(bytes);
  closeSync(task);
  await pipe.closed;
});
