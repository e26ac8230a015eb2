import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Answer, callSocket, endRunners } from "../harness.ts";
import { bundleDaemon } from "./bundle.ts";

export interface ProcessOptions {
  readonly belfryd: string;
  /** A former daemon's directory, with its files. */
  readonly dataDir: string;
  /** The complete environment of the daemon. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The process's umask at its start, before the daemon sets its own. */
  readonly umask?: string;
  /** The user it runs as, if the test itself is root. */
  readonly uid?: number;
  /** A program that starts the daemon, with its arguments. */
  readonly starter?: readonly string[];
}

export type DaemonProcess = ReturnType<typeof spawnDaemon>;

const plainEnvironment = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/tmp" };

/** A daemon in its own process, which a test may kill at any moment. Its runners end with its scope. */
export function spawnDaemon(options: ProcessOptions) {
  const { belfryd, dataDir, environment = plainEnvironment, umask = "022", uid, starter = [] } = options;
  const user = uid === undefined ? [] : ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"];
  const words = [...starter, ...user, process.execPath, belfryd, "--data-dir", dataDir];
  const child = spawn("/bin/sh", ["-c", `umask ${umask}; exec "$@"`, "sh", ...words], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => (said[stream] += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const socketPath = join(dataDir, "belfry.sock");
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    callSocket(socketPath, { method, path, body, headers });
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    if (!hasEnded()) child.kill(signal);
    return ended;
  };
  return {
    dataDir,
    socketPath,
    pid: child.pid!,
    said,
    output: () => said.stdout + said.stderr,
    /** Its exit code, or null if a signal ended it. */
    ended,
    call,
    /** Resolves with true once the daemon answers, or with false if it ends before. */
    ready: (): Promise<boolean> =>
      until("the daemon answers or ends", async () => {
        if (hasEnded()) return { isReady: false };
        const answered = await call("GET", "/v1/health").then(
          ({ status }) => status === 200,
          () => false,
        );
        return answered ? { isReady: true } : null;
      }).then(({ isReady }) => isReady),
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

type Choice = Partial<Omit<ProcessOptions, "belfryd">>;

/** Bundles the daemon for a whole test file, for any number of starts. Call it at the top of the file. */
export function useDaemonProcess() {
  let bundle: Awaited<ReturnType<typeof bundleDaemon>>;
  beforeAll(async () => {
    bundle = await bundleDaemon();
  });
  afterAll(() => bundle?.[Symbol.asyncDispose]());
  return {
    /** Spawns a daemon without waiting for an answer. */
    spawn: (choice: Choice = {}) => inPlace(choice, (dataDir) => spawnDaemon({ ...bundle, ...choice, dataDir })),
    /** Starts a daemon and waits until it answers. */
    start: (choice: Choice = {}) => inPlace(choice, (dataDir) => startDaemonProcess({ ...bundle, ...choice, dataDir })),
  };
}

/** Runs in the given directory, or in a new one that is removed with the daemon. */
async function inPlace(
  { dataDir }: Choice,
  start: (dataDir: string) => DaemonProcess | Promise<DaemonProcess>,
): Promise<DaemonProcess> {
  if (dataDir !== undefined) return start(dataDir);
  const dir = await tempDir("bf-");
  const daemon = await start(dir.path);
  return {
    ...daemon,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await daemon[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
