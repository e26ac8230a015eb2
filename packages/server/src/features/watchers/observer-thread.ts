import { Worker } from "node:worker_threads";
import type { OpenHost } from "./observers.ts";

const isSource = import.meta.url.endsWith(".ts");
/** Beside this file, in the bundle too. */
export const program = new URL(isSource ? "./observing/program.ts" : "./observer.js", import.meta.url);

export const programArguments = isSource ? ["--conditions=@belfry/source"] : [];

export const openObserverThread: OpenHost = ({ start, onMessage, onEnd }) => {
  let isStopped = false;
  const thread = new Worker(program, {
    name: "observer",
    env: {},
    execArgv: programArguments,
    // what a scan leaves behind is small, and is soon garbage
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
    workerData: start,
  });
  // the daemon ends without waiting for it
  thread.unref();
  thread.on("message", onMessage);
  thread.on("error", (error: NodeJS.ErrnoException) => {
    if (!isStopped) onEnd(error.code ?? error.name);
  });
  return {
    send: (message) => thread.postMessage(message),
    stop: async () => {
      isStopped = true;
      await thread.terminate();
    },
  };
};
