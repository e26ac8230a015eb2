import { startThread, untilThreadEnds } from "../thread.ts";
import type { CopyOrder, CopyRequest, CopyResult } from "./copy-worker.ts";

const isSource = import.meta.url.endsWith(".ts");
/** The program of the thread, which is beside this file in the source and in the bundle. */
const program = new URL(isSource ? "./copy-worker.ts" : "./copy-worker.js", import.meta.url);

/**
 * Copies the database as it is now to a new file, while the daemon works, and checks the copy. Returns why the copy is of
 * no use, or null. A thread does both, so that neither the work nor the wait for the disk at its end blocks the daemon.
 * An abort ends it at once and leaves an incomplete file.
 */
export async function copyDatabase(request: CopyRequest, signal: AbortSignal): Promise<string | null> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<CopyResult>();
  const isAborted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const order: CopyOrder = { ...request, isAborted };
  const thread = startThread({ program, name: "database-copy", data: order });
  const abort = (): void => {
    Atomics.store(isAborted, 0, 1);
    // it may rest
    Atomics.notify(isAborted, 0);
    reject(signal.reason);
  };
  signal.addEventListener("abort", abort, { once: true });
  thread
    .once("message", resolve)
    .once("error", reject)
    .once("exit", () => reject(new Error("the thread that copies the database ended early")));
  try {
    const result = await promise;
    if (result.is === "copied") return result.problem;
    throw Object.assign(new Error(result.message), { code: result.code });
  } finally {
    signal.removeEventListener("abort", abort);
    await untilThreadEnds(thread);
  }
}
