import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Starts a server and waits until its socket answers. The end of the scope stops the server. */
export async function startServer(
  args: readonly string[],
  socketPath: string,
  logPath: string,
): Promise<AsyncDisposable & { readonly pid: number }> {
  const log = openSync(logPath, "a");
  const child = spawn(process.execPath, [...args], { stdio: ["ignore", log, log], cwd: root });
  await untilAnswering(socketPath, child);
  return {
    pid: child.pid!,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function untilAnswering(socketPath: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} before it answered`);
    if (existsSync(socketPath) && (await answers(socketPath))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nobody answers at ${socketPath}`);
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socketPath, () => done(true)).on("error", () => done(false));
    const done = (found: boolean): void => {
      probe.destroy();
      resolve(found);
    };
  });
}
