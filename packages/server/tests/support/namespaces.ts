import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tempDir } from "@belfry/test-kit";
import { useDaemonProcess } from "./processes/daemon-process.ts";
import { makeTask, untilReady } from "./tasks.ts";
import { watch, type WatchOptions } from "./watchers.ts";

type Daemons = ReturnType<typeof useDaemonProcess>;

/** A process in a user namespace of its own, in which these commands were run. The namespace ends with it. */
async function openNamespace(commands: string, environment: Record<string, string>): Promise<ChildProcess> {
  const script = `${commands}\necho ready\nexec sleep 600`;
  const env = { PATH: process.env["PATH"]!, ...environment };
  const holder = spawn("unshare", ["-Urm", "/bin/sh", "-c", script], { env, stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout, "data");
  return holder;
}

/**
 * Call it at the top of a test file. What it returns starts a daemon in a user namespace of its own, in which these commands
 * come first, and a watcher of it.
 */
export function useNamespaces() {
  const daemons = useDaemonProcess();
  return (commands: string, options: WatchOptions) => openInNamespace(daemons, commands, options);
}

async function openInNamespace(daemons: Daemons, commands: string, options: WatchOptions) {
  const dir = await tempDir("bw-");
  const data = await tempDir("bf-");
  const holder = await openNamespace(commands, { PLACE: dir.path, DATA: data.path });
  const enter = ["nsenter", "-t", String(holder.pid), "-U", "-m", "--preserve-credentials"];
  const start = () => daemons.start({ dataDir: data.path, starter: enter });
  let daemon = await start();
  await untilReady(daemon, await makeTask(daemon, "true"));
  const watching = await watch(daemon, { place: dir.path, ...options });
  return {
    ...watching,
    daemonPid: daemon.pid,
    output: () => daemon.output(),
    dataDir: data.path,
    /** Runs in the namespace, beside the daemon. */
    inside: (...words: readonly string[]): string =>
      execFileSync(enter[0]!, [...enter.slice(1), ...words], { encoding: "utf8" }),
    restart: async (): Promise<void> => {
      await daemon.stop();
      daemon = await start();
      await watching.untilHealth("observing");
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await watching[Symbol.asyncDispose]();
      await daemon[Symbol.asyncDispose]();
      holder.kill("SIGKILL");
      await data[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
