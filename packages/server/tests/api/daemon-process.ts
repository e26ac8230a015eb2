import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { callSocket, endRunners } from "../harness.ts";
import { bundleDaemon } from "../platform/bundle.ts";

export interface ProcessOptions {
  /** A former daemon's directory: what it left is there. */
  readonly dataDir?: string;
  /** What the daemon is started with, before it takes its own. */
  readonly umask?: string;
}

export type DaemonProcess = Awaited<ReturnType<typeof spawnDaemon>>;

/** For a whole file of tests, at its top: the daemon as it is shipped, to be started as often as they like. */
export function useDaemonProcess() {
  let bundle: Awaited<ReturnType<typeof bundleDaemon>>;
  beforeAll(async () => {
    bundle = await bundleDaemon();
  });
  afterAll(() => bundle?.[Symbol.asyncDispose]());
  return {
    /** Does not wait for it to answer. */
    spawn: (options: ProcessOptions = {}) => spawnDaemon(bundle.belfryd, options),
    /** Started, and answering. */
    start: async (options: ProcessOptions = {}): Promise<DaemonProcess> => {
      const daemon = await spawnDaemon(bundle.belfryd, options);
      const isUp = () => {
        if (!daemon.isRunning()) throw new Error(`the daemon did not start: ${daemon.output()}`);
        return existsSync(daemon.socketPath) && daemon.output().includes("daemon.started");
      };
      await until("the daemon's socket", isUp, 20_000);
      return daemon;
    },
  };
}

async function spawnDaemon(program: string, options: ProcessOptions) {
  const dir = options.dataDir === undefined ? await tempDir("bf-") : null;
  const dataDir = options.dataDir ?? dir!.path;
  const script = `umask ${options.umask ?? "022"}; exec "$@"`;
  const child = spawn("/bin/sh", ["-c", script, "sh", process.execPath, program, "--data-dir", dataDir], {
    env: { PATH: process.env["PATH"], HOME: "/tmp" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const socketPath = join(dataDir, "belfry.sock");
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  return {
    dataDir,
    socketPath,
    pid: child.pid!,
    isRunning,
    /** Its exit code, or null where a signal ended it. */
    ended,
    output: () => output,
    call: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      callSocket(socketPath, { method, path, body, headers }),
    kill: (signal: NodeJS.Signals): Promise<number | null> => {
      child.kill(signal);
      return ended;
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      if (isRunning()) child.kill("SIGKILL");
      await ended;
      await endRunners(dataDir);
      await dir?.[Symbol.asyncDispose]();
    },
  };
}
