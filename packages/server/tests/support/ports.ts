import { createServer, type Server } from "node:net";

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

function portOf(server: Server): number {
  return (server.address() as { readonly port: number }).port;
}
