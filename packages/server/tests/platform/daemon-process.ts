import { until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Answer, callSocket, endRunners } from "../harness.ts";

export interface ProcessOptions {
  readonly belfryd: string;
  readonly dataDir: string;
  /** All of the daemon's environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

export type DaemonProcess = ReturnType<typeof spawnDaemon>;

const plainEnvironment = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp" };

/** A daemon in a process of its own, which a test may kill at any moment. Its runners go with its scope. */
export function spawnDaemon({ belfryd, dataDir, environment = plainEnvironment }: ProcessOptions) {
  const child = spawn(process.execPath, [belfryd, "--data-dir", dataDir, "--log-level", "warn"], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (said.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (said.stderr += String(chunk)));
  const exited = once(child, "exit") as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    callSocket(join(dataDir, "belfry.sock"), { method, path, body, headers });

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (!hasExited()) child.kill(signal);
    return (await exited)[0];
  };
  return {
    pid: child.pid!,
    said,
    exited,
    hasExited,
    call,
    /** Resolves with true once it answers, with false when it has ended before. */
    ready: (): Promise<boolean> =>
      until(
        "the daemon answers or ends",
        async () => {
          if (hasExited()) return { isReady: false };
          const answered = await call("GET", "/v1/health").then(
            ({ status }) => status === 200,
            () => false,
          );
          return answered ? { isReady: true } : null;
        },
        20_000,
      ).then(({ isReady }) => isReady),
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await end("SIGKILL");
      await endRunners(dataDir);
    },
  };
}

export async function startDaemonProcess(options: ProcessOptions): Promise<DaemonProcess> {
  const daemon = spawnDaemon(options);
  if (!(await daemon.ready())) throw new Error(`the daemon did not start: ${daemon.said.stderr}`);
  return daemon;
}
