import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { systemClock, within } from "./time/clock.ts";

export type Thread = Worker;

export interface ThreadStart {
  readonly program: URL;
  readonly name: string;
  /** What the program begins with. */
  readonly data: unknown;
  /** The maximum for what it allocated lately, in MiB. Default: that of Node. */
  readonly youngMebibytesMax?: number;
}

const isSource = import.meta.url.endsWith(".ts");
/** What Node needs to run a program of this package. */
export const programArguments = isSource ? ["--conditions=@belfry/source"] : [];
/** The environment of such a program has nothing of the daemon's. In a checkout, Node keeps what it compiles of the source. */
export const programEnvironment: Readonly<Record<string, string>> = isSource
  ? { NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)) }
  : {};

/** A thread that takes longer to end is terminated. */
const endMaxMs = 10_000;

/** Starts a thread, which gets nothing of the daemon's environment. */
export function startThread({ program, name, data, youngMebibytesMax }: ThreadStart): Thread {
  return new Worker(program, {
    name,
    env: programEnvironment,
    execArgv: programArguments,
    workerData: data,
    ...(youngMebibytesMax === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngMebibytesMax } }),
  });
}

/**
 * Resolves when a thread has ended that has nothing more to do. It is terminated only if that takes long: in the wrong
 * moment, for example while its modules are evaluated, V8 ends the whole process instead of the thread.
 */
export async function untilThreadEnds(thread: Thread, limitMs = endMaxMs): Promise<void> {
  // the id of a thread that has ended
  if (thread.threadId === -1) return;
  const ended = new Promise<true>((resolve) => void thread.once("exit", () => resolve(true)));
  if ((await within(systemClock, limitMs, ended)) === undefined) await thread.terminate();
}
