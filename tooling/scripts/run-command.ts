import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../..", import.meta.url));

export interface CommandResult {
  /** Null when a signal ended it or it could not start. */
  readonly exitCode: number | null;
  readonly output: string;
}

/** Runs one of the workspace's own commands at its root, under the workspace's own Node. */
export function runCommand(
  command: string,
  args: readonly string[],
  shows: "shown" | "kept" = "kept",
): Promise<CommandResult> {
  const path = [join(repository, "node_modules", ".bin"), process.env["PATH"]].join(":");
  const stdio = shows === "shown" ? "inherit" : "pipe";
  const child = spawn(command, args, {
    cwd: repository,
    env: { ...process.env, PATH: path },
    stdio: ["ignore", stdio, stdio],
  });
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  child.once("error", (error) => resolve({ exitCode: null, output: error.message }));
  child.once("close", (exitCode) => resolve({ exitCode, output: Buffer.concat(chunks).toString("utf8") }));
  return promise;
}
