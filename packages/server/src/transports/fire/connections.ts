import type { Socket } from "node:net";

export interface WaitingParts {
  readonly max: number;
  /** Called when a connection is closed to make place for another one. */
  readonly onDropped: () => void;
}

export type WaitingConnections = ReturnType<typeof createWaitingConnections>;

/**
 * Limits the connections that have not sent a valid key. The oldest one is closed for a new one, so that a caller who
 * opens many connections and sends nothing keeps nobody out.
 */
export function createWaitingConnections({ max, onDropped }: WaitingParts) {
  /** In the order of their acceptance. */
  const waiting = new Set<Socket>();
  return {
    add: (socket: Socket): void => {
      waiting.add(socket);
      socket.once("close", () => void waiting.delete(socket));
      if (waiting.size <= max) return;
      const oldest: Socket = waiting.values().next().value!;
      waiting.delete(oldest);
      oldest.destroy();
      onDropped();
    },
    /** Keeps the connection until its answer: its key is valid. */
    admit: (socket: Socket): void => void waiting.delete(socket),
  };
}
