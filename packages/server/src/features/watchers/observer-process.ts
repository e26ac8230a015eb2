import { type ChildProcess, spawn } from "node:child_process";
import { programArguments, programEnvironment } from "../../kernel/thread.ts";
import { program } from "./observer-thread.ts";
import type { OpenHost } from "./observers.ts";
import type { FromObserver } from "./observing/messages.ts";

type Child = Pick<ChildProcess, "pid" | "connected" | "send" | "kill" | "on">;

export const openObserverProcess = createProcessOpener(spawnObserver);

/**
 * An observer in a process of its own, for a network or FUSE mount: a read that never returns would hold a thread for ever, but
 * a process can be given up.
 */
export function createProcessOpener(spawnChild: () => Child): OpenHost {
  return ({ start, onMessage, onEnd }) => {
    let isStopped = false;
    const child = spawnChild();
    const { promise: exited, resolve: exit } = Promise.withResolvers<void>();
    const end = (failure: string): void => {
      if (isStopped) return;
      isStopped = true;
      onEnd(failure);
    };
    child.on("message", (message) => {
      // a message from before the process was given up
      if (!isStopped) onMessage(message as FromObserver);
    });
    child.on("error", (error) => {
      // one that could not be started has no exit
      if (child.pid === undefined) exit();
      end((error as NodeJS.ErrnoException).code ?? error.name);
    });
    child.on("exit", (code, signal) => {
      exit();
      end(signal ?? `exit code ${code}`);
    });
    child.send(start);
    return {
      send: (message) => {
        // a process that has just ended reports that by itself
        if (child.connected) child.send(message, () => {});
      },
      stop: () => {
        isStopped = true;
        // one that waits for its mount cannot end now, and does nothing more when it can
        child.kill("SIGKILL");
        return exited;
      },
    };
  };
}

export function spawnObserver(): Child {
  const child = spawn(process.execPath, [...programArguments, program.pathname], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
    env: programEnvironment,
  });
  child.unref();
  child.channel?.unref();
  return child;
}
