import { Agent, request } from "node:http";

export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/**
 * Sends `count` requests over `clients` kept connections. Returns the rate per second. A response other than 2xx ends
 * the bench.
 */
export async function fire(
  socketPath: string,
  clients: number,
  count: number,
  shotOf: (number: number) => Shot,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent < count) await send(socketPath, agent, shotOf(sent++));
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - from) / 1_000;
  agent.destroy();
  return count / seconds;
}

/** Sends one request over a kept connection. Rejects if the response is not 2xx. */
export function send(socketPath: string, agent: Agent, shot: Shot): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers =
      shot.body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(shot.body) };
    const outgoing = request({ socketPath, agent, method: shot.method, path: shot.path, headers }, (incoming) => {
      incoming.resume().on("end", () => {
        const status = incoming.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve();
        else reject(new Error(`${shot.method} ${shot.path}: ${status}`));
      });
    });
    outgoing.on("error", reject).end(shot.body);
  });
}
