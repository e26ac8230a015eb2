import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, callSocket, endRunners, type Json } from "../packages/server/tests/support/harness.ts";
import { root, startServer } from "./processes.ts";

export type Daemon = Awaited<ReturnType<typeof startDaemon>>;

/**
 * Starts the bundled daemon in the given directory. The end of the scope stops the daemon, its runners and their tasks.
 */
export async function startDaemon(dataDir: string, config = "") {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, "config.toml"), config);
  const socket = join(dataDir, "belfry.sock");
  const server = await startServer(
    [join(root, "packages/server/dist/bundle/belfryd.js"), "--data-dir", dataDir, "--log-level", "error"],
    socket,
    `${dataDir}.log`,
  );
  /** A response other than 2xx ends the bench. */
  const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer: Answer = await callSocket(socket, { method, path, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  return {
    dataDir,
    socket,
    pid: server.pid,
    call,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await server[Symbol.asyncDispose]();
      // tasks outlive their daemon, and the timers of `endRunners` do not keep this process alive
      const awake = setInterval(() => {}, 1_000);
      await endRunners(dataDir);
      clearInterval(awake);
    },
  };
}
