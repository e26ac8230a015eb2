import { Worker } from "node:worker_threads";
import type { FromObserver, ObserverStart, ToObserver } from "./observing/messages.ts";

/** An observer beside the daemon: a thread, or a process for a mount that may hang. */
export interface ObserverHost {
  readonly send: (message: ToObserver) => void;
  readonly stop: () => Promise<void>;
}

export interface HostParts {
  readonly start: ObserverStart;
  readonly onMessage: (message: FromObserver) => void;
  /** It ended by itself, with a short name of the reason. */
  readonly onEnd: (failure: string) => void;
}

export type OpenHost = (parts: HostParts) => ObserverHost;

const isSource = import.meta.url.endsWith(".ts");
/** Beside this file, in the bundle too. */
const program = new URL(isSource ? "./observing/program.ts" : "./observer.js", import.meta.url);

export const openObserverThread: OpenHost = ({ start, onMessage, onEnd }) => {
  let isStopped = false;
  const thread = new Worker(program, {
    name: "observer",
    env: {},
    execArgv: isSource ? ["--conditions=@belfry/source"] : [],
    // what a scan leaves behind is small, and is soon garbage
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
    workerData: start,
  });
  // the daemon ends without waiting for it
  thread.unref();
  thread.on("message", onMessage);
  thread.on("error", (error) => {
    if (!isStopped) onEnd((error as NodeJS.ErrnoException).code ?? error.name);
  });
  return {
    send: (message) => thread.postMessage(message),
    stop: async () => {
      isStopped = true;
      await thread.terminate();
    },
  };
};
