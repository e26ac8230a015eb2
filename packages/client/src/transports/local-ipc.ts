import { describeConnectFailure } from "./connect-failure.ts";
import { exchangeOver } from "./http-exchange.ts";
import { firstSocket } from "./socket-path.ts";
import type { Transport } from "./transport.ts";

/** Without this, Node computes a TLS server name that is never used, which takes milliseconds. */
const noServerName = { servername: "" };

/**
 * Creates a transport for HTTP over the daemon's socket. If `socketPath` is a function, it is called before each request, so
 * that a daemon restarted at another path is found. Of several paths, the first that exists is used. Each request opens its own connection. The daemon may close a kept
 * connection just when a mutation is written, and then the outcome of the mutation would be uncertain.
 */
export function localTransport(socketPath: string | (() => string | readonly string[])): Transport {
  return {
    baseUrl: "http://localhost",
    fetch: (request) => fetchOverSocket(request, typeof socketPath === "string" ? [socketPath] : [socketPath()].flat()),
  };
}

function fetchOverSocket(request: Request, paths: readonly string[]): Promise<Response> {
  const socketPath = firstSocket(paths);
  return exchangeOver(request, {
    options: { socketPath, agent: false, ...noServerName },
    sentOnce: "connected",
    explain: (error) => describeConnectFailure(error, socketPath, paths),
  });
}
