import type { Connection } from "./connection.ts";
import { ConnectionPool, type Open } from "./connection-pool.ts";
import type { RemoteTransport } from "./transport.ts";

/** Connections for calls; streams have their own. The daemon limits the connections and requests of a client. */
const connectionsMax = 6;

/**
 * Creates a transport over TLS connections that `open` opens and checks. A stream gets a connection of its own each time,
 * so the daemon is checked again whenever a stream reconnects. The access token is added here and not before, so hooks,
 * requests and errors never contain it.
 */
export function remoteTransport(open: Open, accessToken: string): RemoteTransport {
  const pool = new ConnectionPool(open, connectionsMax);

  /** Calls `onEnd` once: when the answer is complete, or after a failure. A connection with a failure is not used again. */
  const sendOver = async (connection: Connection, request: Request, onEnd: () => void): Promise<Response> => {
    let hasEnded = false;
    const end = () => {
      if (!hasEnded) onEnd();
      hasEnded = true;
    };
    try {
      return await connection.transport(accessToken, end).fetch(request);
    } catch (error) {
      connection.close();
      end();
      throw error;
    }
  };

  return {
    // each connection has its own address; only the path of this URL is used
    baseUrl: "https://belfry.internal/api",
    fetch: async (request) => {
      if (isStream(request)) {
        const connection = await pool.openAlone(request.signal);
        return sendOver(connection, request, () => connection.close());
      }
      const connection = await pool.acquire(request.signal);
      return sendOver(connection, request, () => pool.release(connection));
    },
    close: () => pool.close(),
  };
}

/** Streams may be read slowly, or for ever. */
function isStream(request: Request): boolean {
  return request.headers.get("accept") !== "application/json";
}
