import { expect, test } from "vitest";
import { programEnvironment, startThread, untilThreadEnds } from "./thread.ts";

const programOf = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`);

/** Starts a program, and returns its thread with the code with which it will end: 1 if it is terminated. */
function start(text: string, data: unknown = null) {
  const thread = startThread({ program: programOf(text), name: "test", data });
  const { promise: code, resolve } = Promise.withResolvers<number>();
  thread.once("exit", resolve);
  return { thread, code, nextMessage: () => new Promise((take) => void thread.once("message", take)) };
}

const answering = `
  import { parentPort, workerData } from "node:worker_threads";
  parentPort.postMessage([workerData, process.env]);
  const end = performance.now() + 50;
  while (performance.now() < end);`;

test("a thread that has answered may finish, and is not terminated", async () => {
  const { thread, code, nextMessage } = start(answering, "work");
  expect(await nextMessage()).toEqual(["work", programEnvironment]);
  await untilThreadEnds(thread);
  expect(await code).toBe(0);
  // it has ended already
  await untilThreadEnds(thread);
});

test("a thread that ends with the wait for a message may finish", async () => {
  const { thread, code } = start(
    `import { parentPort } from "node:worker_threads"; parentPort.on("message", () => parentPort.close());`,
  );
  thread.postMessage(null);
  await untilThreadEnds(thread);
  expect(await code).toBe(0);
});

test("a thread that goes on is terminated after a while", async () => {
  const { thread, code, nextMessage } = start(
    `import { parentPort } from "node:worker_threads"; parentPort.postMessage(0); setInterval(() => {}, 1000);`,
  );
  await nextMessage();
  await untilThreadEnds(thread, 50);
  expect(await code).toBe(1);
});

test("a program gets nothing of the daemon's environment but where Node keeps what it compiles of the source", () => {
  expect(process.env).toHaveProperty("PATH");
  expect(["NODE_COMPILE_CACHE"]).toEqual(expect.arrayContaining(Object.keys(programEnvironment)));
});
