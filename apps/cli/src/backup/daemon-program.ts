import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { findDaemonProgram } from "../daemon/executable.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";

/** What a backup contains, as the daemon's program prints it. */
export interface BackupSummary {
  readonly created_at: string;
  readonly version: string;
  readonly installation_id: string;
  readonly files: number;
  readonly bytes: number;
  readonly with_output: boolean;
  readonly sealed: boolean;
  readonly key_checked: boolean;
}

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Runs the daemon's program, which knows the database, in a process of its own. The passphrase goes through a pipe. */
export async function runDaemonProgram(
  args: readonly string[],
  passphrase: string | undefined,
): Promise<BackupSummary> {
  const all = [
    ...process.execArgv,
    fileURLToPath(findDaemonProgram()),
    ...args,
    ...(passphrase === undefined ? [] : ["--passphrase-stdin"]),
  ];
  const child = spawn(process.execPath, all, { stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.stdin.on("error", () => {});
  child.stdin.end(passphrase ?? "");
  // the program removes what it has written, and ends the command
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of stopSignals) process.on(signal, stop);
  const [code] = (await once(child, "close")) as [number | null];
  for (const signal of stopSignals) process.off(signal, stop);
  if (code === 0) return JSON.parse(output) as BackupSummary;
  const reason = errors.trim().replace(/^belfryd: /, "");
  throw new Failure(exitCodes.failed, reason === "" ? `the daemon's program ended with ${String(code)}` : reason);
}
