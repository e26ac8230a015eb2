import { execFile, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";

/** Bundles the command for a whole test file. Returns the words that start it. Call it at the top of the file. */
export function useBundle(): readonly string[] {
  const cli = join(import.meta.dirname, "..");
  // inside the package, because the command finds the daemon's bundle relative to its own
  const folder = join(cli, "dist", `test-${process.pid}`);
  beforeAll(() => promisify(execFile)(process.execPath, ["bundle.ts", folder], { cwd: cli }));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return [process.execPath, "--conditions=@belfry/source", join(folder, "belfry.js")];
}

/** The command as a process of its own. Call it at the top of the file. */
export function useCommand() {
  const [, ...program] = useBundle();
  /** Starts the command for the daemon of a data directory. */
  const start = (words: readonly string[], dataDir: string, environment: NodeJS.ProcessEnv = {}) => {
    const env = { ...process.env, BELFRY_DATA_DIR: dataDir, ...environment };
    const child = spawn(process.execPath, [...program, ...words], { env });
    const written = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => (written[name] += text));
    const ended = new Promise<{ readonly code: number | null }>((resolve) =>
      child.on("close", (code) => resolve({ code })),
    );
    return {
      child,
      written,
      ended: async () => ({ ...(await ended), ...written }),
      [Symbol.asyncDispose]: async () => {
        child.kill("SIGKILL");
        await ended;
      },
    };
  };
  /** Runs the command to its end. */
  const run = async (words: readonly string[], dataDir: string) => {
    await using call = start(words, dataDir);
    return await call.ended();
  };
  return { program, start, run };
}
