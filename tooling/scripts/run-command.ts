import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../..", import.meta.url));

export interface CommandResult {
  /** Null if a signal ended the command or it could not start. */
  readonly exitCode: number | null;
  readonly output: string;
  /** Standard output alone; `output` contains standard error too. */
  readonly stdout: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether this process shows the command's output, or the result contains it. */
  readonly shows?: "shown" | "kept";
  /** The signal that ends the command with its scope; SIGTERM by default. */
  readonly endsBy?: NodeJS.Signals;
}

/** A running command. The end of the scope ends it. */
export interface RunningCommand extends AsyncDisposable {
  readonly ended: Promise<CommandResult>;
}

/**
 * Runs a command to its end. By default it is a command of the workspace, at the root and under the workspace's Node.
 */
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
