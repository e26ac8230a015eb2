import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { programEnvironment } from "../../../kernel/thread.ts";

export type { ChildProcess };

export interface RunnerProcessOptions {
  readonly id: string;
  readonly dataDir: string;
  /** The umask of tasks; the daemon's own is 077. */
  readonly umask: number;
  /** The soft limit of open files for tasks; null leaves the limit that Node set. */
  readonly openFilesMax: number | null;
  /** The file for the runner's standard streams. */
  readonly runnerLog: string;
  readonly onError: (error: unknown) => void;
}

/** The runner's program: in its own folder in the source, beside this file in the bundle. */
const program = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../../runner/main.ts" : "./runner.js", import.meta.url),
);

/** Node's own flags of a runner: a larger young generation takes 13 MB more, and makes no run cheaper. */
export const runnerFlags: readonly string[] = ["--max-semi-space-size=2"];

/** Starts a runner in its own session, without the daemon's environment and open files. */
export function startRunnerProcess(options: RunnerProcessOptions): ChildProcess {
  const { id, dataDir, umask, openFilesMax, runnerLog } = options;
  const output = openSync(runnerLog, "a", 0o600);
  try {
    const programArguments = [...runnerFlags, program, "--data-dir", dataDir, "--id", id, "--umask", umask.toString(8)];
    if (openFilesMax !== null) programArguments.push("--nofile", String(openFilesMax));
    const child = spawn(process.execPath, programArguments, {
      cwd: "/",
      env: programEnvironment,
      detached: true,
      stdio: ["ignore", output, output],
    });
    child.on("error", options.onError).unref();
    return child;
  } finally {
    closeSync(output);
  }
}
