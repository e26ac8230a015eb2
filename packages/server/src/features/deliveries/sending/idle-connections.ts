import type { Socket } from "node:net";
import type { Clock } from "../../../kernel/time/clock.ts";

/** How long a connection waits for the next delivery to the same origin. */
const idleMs = 2_000;

interface Idle {
  readonly socket: Socket;
  /** Stops watching the socket. */
  readonly release: () => void;
}

export type IdleConnections = ReturnType<typeof createIdleConnections>;

/** Connections whose exchange is complete, by origin. A receiver that closes one, or sends anything over it, ends it. */
export function createIdleConnections(clock: Clock) {
  const byOrigin = new Map<string, Idle[]>();

  return {
    keep: (origin: string, socket: Socket): void => {
      const drop = (): void => {
        remove(origin, idle);
        idle.release();
        socket.destroy();
      };
      const timer = clock.after(idleMs, drop);
      const idle: Idle = {
        socket,
        release: () => {
          timer.cancel();
          socket.off("data", drop).off("end", drop).off("close", drop);
        },
      };
      socket.on("data", drop).on("end", drop).on("close", drop);
      const others = byOrigin.get(origin);
      if (others === undefined) byOrigin.set(origin, [idle]);
      else others.push(idle);
    },
    /** Takes the most recently used connection to the origin. A broken connection emits its error later. */
    take: (origin: string): Socket | null => {
      const idle = byOrigin.get(origin)?.findLast(({ socket }) => socket.writable);
      if (idle === undefined) return null;
      remove(origin, idle);
      idle.release();
      return idle.socket;
    },
    close: (): void => {
      for (const { socket, release } of [...byOrigin.values()].flat()) {
        release();
        socket.destroy();
      }
      byOrigin.clear();
    },
  };

  function remove(origin: string, idle: Idle): void {
    const left = byOrigin.get(origin)?.filter((each) => each !== idle) ?? [];
    if (left.length > 0) byOrigin.set(origin, left);
    else byOrigin.delete(origin);
  }
}
