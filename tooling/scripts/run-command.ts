import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../..", import.meta.url));

export interface CommandResult {
  /** Null when a signal ended it or it could not start. */
  readonly exitCode: number | null;
  readonly output: string;
  /** Of the output what is no message: standard output alone. */
  readonly stdout: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether its output goes to this process's own, or into the result. */
  readonly shows?: "shown" | "kept";
  /** What ends it, where it does not end by itself; SIGTERM unless given. */
  readonly endsBy?: NodeJS.Signals;
}

/** A command that runs: leaving the scope ends it. */
export interface RunningCommand extends AsyncDisposable {
  readonly ended: Promise<CommandResult>;
}

/** Runs a command to its end: one of the workspace's own, under the workspace's own Node, at its root unless the options say otherwise. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return startCommand(command, args, options).ended;
}

export function startCommand(
  command: string,
  args: readonly string[],
  { cwd = repository, env = process.env, shows = "kept", endsBy = "SIGTERM" }: CommandOptions = {},
): RunningCommand {
  const path = [join(repository, "node_modules", ".bin"), env["PATH"]].join(":");
  const stdio = shows === "shown" ? "inherit" : "pipe";
  const child = spawn(command, args, { cwd, env: { ...env, PATH: path }, stdio: ["ignore", stdio, stdio] });
  const chunks: Buffer[] = [];
  const fromStdout: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk) && fromStdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const { promise: ended, resolve } = Promise.withResolvers<CommandResult>();
  child.once("error", (error) => resolve({ exitCode: null, output: error.message, stdout: "" }));
  child.once("close", (exitCode) => resolve({ exitCode, output: textOf(chunks), stdout: textOf(fromStdout) }));
  const end = async (): Promise<void> => {
    child.kill(endsBy);
    await ended;
  };
  return { ended, [Symbol.asyncDispose]: end };
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}
