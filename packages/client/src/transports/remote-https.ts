import { type Open, ConnectionPool } from "./connection-pool.ts";
import type { Transport } from "./transport.ts";

/** Connections for calls; streams have their own. The daemon limits the connections and requests of a client. */
const connectionsMax = 6;

/** A transport that keeps connections, and therefore has an end. */
export interface RemoteTransport extends Transport {
  readonly close: () => void;
}

/**
 * Creates a transport over TLS connections that `open` opens and checks. A stream gets a connection of its own each time,
 * so the daemon is checked again whenever a stream reconnects. The access token is added here and not before, so hooks,
 * requests and errors never contain it.
 */
export function remoteTransport(open: Open, accessToken: string): RemoteTransport {
  const pool = new ConnectionPool(open, connectionsMax);
  return {
    // each connection has its own address; only the path of this URL is used
    baseUrl: "https://belfry.internal/api",
    fetch: async (request) => {
      if (isStream(request)) {
        const connection = await pool.openAlone(request.signal);
        return connection.transport(accessToken, () => connection.close()).fetch(request);
      }
      const connection = await pool.acquire(request.signal);
      return connection.transport(accessToken, () => pool.release(connection)).fetch(request);
    },
    close: () => pool.close(),
  };
}

/** Streams may be read slowly, or for ever. */
function isStream(request: Request): boolean {
  return request.headers.get("accept") !== "application/json";
}
