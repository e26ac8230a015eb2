import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { callSocket, endRunners } from "../harness.ts";

const program = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

export interface ProcessOptions {
  /** A former daemon's directory: what it left is there. */
  readonly dataDir?: string;
  /** What the daemon is started with, before it takes its own. */
  readonly umask?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export type DaemonProcess = Awaited<ReturnType<typeof spawnDaemon>>;

/** The daemon as it is installed: a process of its own. Does not wait for it to answer. */
export async function spawnDaemon(options: ProcessOptions = {}) {
  const dir = options.dataDir === undefined ? await tempDir("bf-") : null;
  const dataDir = options.dataDir ?? dir!.path;
  const script = `umask ${options.umask ?? "022"}; exec "$@"`;
  const command = [process.execPath, "--conditions=source", program, "--data-dir", dataDir];
  const child = spawn("/bin/sh", ["-c", script, "sh", ...command], {
    env: { PATH: process.env["PATH"], HOME: "/tmp", ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
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

/** Started, and answering. */
export async function startDaemonProcess(options: ProcessOptions = {}): Promise<DaemonProcess> {
  const daemon = await spawnDaemon(options);
  const isUp = () => {
    if (!daemon.isRunning()) throw new Error(`the daemon did not start: ${daemon.output()}`);
    return existsSync(daemon.socketPath) && daemon.output().includes("daemon.started");
  };
  await until("the daemon's socket", isUp, 20_000);
  return daemon;
}
