import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, callSocket, endRunners, type Json } from "../packages/server/tests/support/harness.ts";
import { root, startServer } from "./processes.ts";

export type Daemon = Awaited<ReturnType<typeof startDaemon>>;

/** The bundled daemon on a folder of its own; with its scope it is gone, and so are its runners with what they run. */
export async function startDaemon(dataDir: string, config = "") {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, "config.toml"), config);
  const socket = join(dataDir, "belfry.sock");
  const server = await startServer(
    [join(root, "packages/server/dist/bundle/belfryd.js"), "--data-dir", dataDir, "--log-level", "error"],
    socket,
    `${dataDir}.log`,
  );
  /** Anything but a success ends the bench. */
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
      // tasks go on without their daemon, and the timers of their ending keep no process awake
      const awake = setInterval(() => {}, 1_000);
      await endRunners(dataDir);
      clearInterval(awake);
    },
  };
}
