import type { Socket } from "node:net";
import type { RemoteLimits } from "../../kernel/config/remote-config.ts";
import { limitedAddressOf } from "./client-address.ts";

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Null until a request with a valid access token. */
  credentialId: string | null;
  isClosed: boolean;
}

export interface ConnectionParts {
  readonly limits: () => RemoteLimits;
  /** Called when a connection is closed to make place for another one. */
  readonly onDropped: () => void;
}

export type Connections = ReturnType<typeof createConnections>;

/**
 * Counts the connections, from their acceptance on. Without a valid access token, the oldest connection is closed for a
 * new one: of the same address if it has too many, and otherwise of the address that has most. So one address that
 * opens many connections closes its own.
 */
export function createConnections({ limits, onDropped }: ConnectionParts) {
  const open = new Map<string, Connection>();
  /** By the encrypted socket, from its first request on. */
  const known = new WeakMap<Socket, Connection>();
  /** In the order of their acceptance. */
  const unauthenticated = new Set<Connection>();
  const byCredential = new Map<string, Set<Connection>>();

  return {
    count: (): number => open.size,

    /** Adds an accepted connection, before its handshake. */
    add: (socket: Socket): void => {
      const key = keyOf(socket);
      // the client has disconnected already
      if (socket.remoteAddress === undefined) return void socket.destroy();
      const connection: Connection = {
        socket,
        address: limitedAddressOf(socket.remoteAddress),
        credentialId: null,
        isClosed: false,
      };
      open.set(key, connection);
      socket.once("close", () => {
        connection.isClosed = true;
        if (open.get(key) === connection) open.delete(key);
        forget(connection);
      });
      unauthenticated.add(connection);
      dropSurplus(connection.address);
    },

    /** Counts the connection for this credential; returns whether that is within the limits. */
    authenticate: (socket: Socket, credentialId: string): boolean => {
      const connection = connectionOf(socket);
      if (connection === undefined || connection.credentialId === credentialId) return true;
      const { connections, connectionsPerCredential } = limits();
      const own = byCredential.get(credentialId) ?? new Set();
      if (own.size >= connectionsPerCredential || open.size - unauthenticated.size >= connections) return false;
      forget(connection);
      connection.credentialId = credentialId;
      byCredential.set(credentialId, own.add(connection));
      return true;
    },

    /** Counts the connection as one without a valid access token again. */
    reject: (socket: Socket): void => {
      const connection = connectionOf(socket);
      if (connection === undefined || connection.credentialId === null) return;
      forget(connection);
      connection.credentialId = null;
      unauthenticated.add(connection);
      dropSurplus(connection.address);
    },

    closeAll: (): void => {
      for (const { socket } of open.values()) socket.destroy();
    },
  };

  function connectionOf(socket: Socket): Connection | undefined {
    const connection = known.get(socket) ?? open.get(keyOf(socket));
    // a request that was read before its connection closed must not be counted
    if (connection === undefined || connection.isClosed) return undefined;
    known.set(socket, connection);
    return connection;
  }

  function forget(connection: Connection): void {
    unauthenticated.delete(connection);
    if (connection.credentialId === null) return;
    const own = byCredential.get(connection.credentialId);
    own?.delete(connection);
    if (own?.size === 0) byCredential.delete(connection.credentialId);
  }

  function dropSurplus(address: string): void {
    const { unauthenticatedConnections, unauthenticatedConnectionsPerAddress } = limits();
    if (countOf(address) > unauthenticatedConnectionsPerAddress) drop(address);
    else if (unauthenticated.size > unauthenticatedConnections) drop(busiestAddress());
  }

  function drop(address: string): void {
    for (const connection of unauthenticated) {
      if (connection.address !== address) continue;
      unauthenticated.delete(connection);
      connection.socket.destroy();
      return onDropped();
    }
  }

  function countOf(address: string): number {
    let count = 0;
    for (const connection of unauthenticated) if (connection.address === address) count++;
    return count;
  }

  /** Of several addresses with as many connections, the one whose oldest connection is the oldest. */
  function busiestAddress(): string {
    const counts = new Map<string, number>();
    for (const { address } of unauthenticated) counts.set(address, (counts.get(address) ?? 0) + 1);
    let busiest = "";
    for (const [address, count] of counts) if (count > (counts.get(busiest) ?? 0)) busiest = address;
    return busiest;
  }
}

/** Identifies a connection by its two ends, which the accepted socket and the encrypted one share. */
function keyOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
