import { startThread, untilThreadEnds } from "../../kernel/thread.ts";
import type { OpenHost } from "./observers.ts";
import { endOfThread, type FromObserver } from "./observing/messages.ts";

const isSource = import.meta.url.endsWith(".ts");
/** Beside this file, in the bundle too. */
export const program = new URL(isSource ? "./observing/program.ts" : "./observer.js", import.meta.url);

export const openObserverThread: OpenHost = ({ start, onMessage, onEnd }) => {
  let isStopped = false;
  // what a scan leaves behind is small, and is soon garbage
  const thread = startThread({ program, name: "observer", data: start, youngMebibytesMax: 4 });
  // the daemon ends without waiting for it
  thread.unref();
  thread.on("message", (message: FromObserver) => {
    if (!isStopped) onMessage(message);
  });
  thread.on("error", (error: NodeJS.ErrnoException) => {
    if (!isStopped) onEnd(error.code ?? error.name);
  });
  return {
    send: (message) => thread.postMessage(message),
    stop: async () => {
      isStopped = true;
      thread.postMessage(endOfThread);
      await untilThreadEnds(thread);
    },
  };
};
