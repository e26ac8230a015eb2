import { Worker } from "node:worker_threads";
import type { CopyRequest } from "./copy-worker.ts";

const isSource = import.meta.url.endsWith(".ts");
/** The program of the thread, which is beside this file in the source and in the bundle. */
const program = new URL(isSource ? "./copy-worker.ts" : "./copy-worker.js", import.meta.url);

/**
 * Copies the database as it is now to a new file, while the daemon works. A thread copies, so that neither the copying
 * nor the wait for the disk at its end blocks the daemon. An abort ends it at once and leaves an incomplete file.
 */
export async function copyDatabase(request: CopyRequest, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const thread = new Worker(program, {
    name: "database-copy",
    env: {},
    execArgv: isSource ? ["--conditions=@belfry/source"] : [],
    workerData: request,
  });
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  thread
    .once("message", () => resolve())
    .once("error", reject)
    .once("exit", () => reject(new Error("the thread that copies the database ended early")));
  try {
    await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    await thread.terminate();
  }
}
