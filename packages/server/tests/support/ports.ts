import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

interface Place {
  readonly host: string;
  readonly port: number;
}

const host = "127.0.0.1";
/** Below the ports that the kernel chooses on its own, so that it gives none of these to anybody meanwhile. */
const range = [20_000, 32_000] as const;

/** A port of this machine that no program uses now, and that no other test gets until the test's process ends. */
export async function freePlace(): Promise<Place> {
  for (;;) {
    const port = randomInt(...range);
    if ((await isReserved(port)) && (await canListen(port))) return { host, port };
  }
}

/** A port of this machine that stays in use until the test's process ends. */
export async function takenPlace(): Promise<Place> {
  const { port } = await freePlace();
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject).listen(port, host, () => resolve({ host, port }));
    server.unref();
  });
}

/**
 * Reserves a port among the tests: the port of UDP with its number can have one owner, and is free again when that
 * process ends, however it ends. It is in the way of no listener.
 */
function isReserved(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const owner = createSocket("udp4");
    owner.once("error", isTaken(resolve, reject));
    owner.bind({ address: host, port, exclusive: true }, () => resolve(true));
    owner.unref();
  });
}

/** Tries all addresses, because a test may listen on them. */
function canListen(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", isTaken(resolve, reject));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function isTaken(resolve: (value: boolean) => void, reject: (error: Error) => void) {
  return (error: NodeJS.ErrnoException): void => (error.code === "EADDRINUSE" ? resolve(false) : reject(error));
}
