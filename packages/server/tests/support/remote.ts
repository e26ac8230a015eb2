import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import type { RemoteListener } from "../../src/features/remote/index.ts";

/** A port of this machine that no program uses now. */
export function freePlace(): Promise<{ readonly host: string; readonly port: number }> {
  const host = "127.0.0.1";
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject).listen(0, host, () => {
      const port = portOf(server);
      server.close(() => resolve({ host, port }));
    });
  });
}

/** A port of this machine that stays in use until the test's process ends. */
export function takenPlace(): Promise<{ readonly host: string; readonly port: number }> {
  const host = "127.0.0.1";
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject).listen(0, host, () => resolve({ host, port: portOf(server) }));
    server.unref();
  });
}

/** Replaces the configuration file of a daemon that is running. */
export function writeConfig({ dataDir }: { readonly dataDir: string }, text: string): void {
  writeFileSync(join(dataDir, "config.toml"), text);
}

function portOf(server: Server): number {
  return (server.address() as { readonly port: number }).port;
}

/** A listener without a port, for tests without sockets. */
export function simulatedListener(): RemoteListener {
  let isListening = false;
  return {
    open: () => {
      isListening = true;
      return Promise.resolve({ activate: () => {}, undo: () => Promise.resolve(void (isListening = false)) });
    },
    renew: () => {},
    close: () => Promise.resolve(void (isListening = false)),
    isListening: () => isListening,
    countConnections: () => 0,
  };
}
