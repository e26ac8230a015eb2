import { tempDir } from "@belfry/test-kit";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";

/** A proxy to the daemon that can break all connections, in the middle of any transfer. */
export async function cuttable(daemonPath: string) {
  const dir = await tempDir();
  const socketPath = join(dir.path, "line.sock");
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(daemonPath);
    near.pipe(far);
    far.pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    socketPath,
    cut,
    [Symbol.asyncDispose]: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
      await dir[Symbol.asyncDispose]();
    },
  };
}
