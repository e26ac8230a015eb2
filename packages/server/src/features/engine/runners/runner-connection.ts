import { connect, type Socket } from "node:net";
import type { Clock } from "../../../kernel/time/clock.ts";
import { readLines, writeLine } from "../../../runner/protocol/lines.ts";
import type { Order, Report } from "../../../runner/protocol/messages.ts";

/** A connection to one runner: orders go down, reports come up, one JSON object per line. */
export interface RunnerConnection {
  readonly runnerId: string;
  readonly send: (order: Order) => void;
  readonly close: () => void;
}

export interface ConnectionListener {
  readonly onReport: (connection: RunnerConnection, report: Report) => void;
  readonly onClose: (connection: RunnerConnection) => void;
}

/**
 * Resolves with the connection once the runner has sent `hello`: from then on the runner takes orders. Rejects if no
 * `hello` arrives in time.
 */
export function openConnection(
  socketPath: string,
  listener: ConnectionListener,
  limit: { readonly clock: Clock; readonly helloTimeoutMs: number },
): Promise<RunnerConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    let connection: RunnerConnection | null = null;
    const timeout = limit.clock.after(limit.helloTimeoutMs, () =>
      socket.destroy(new Error(`the runner at ${socketPath} does not answer`)),
    );
    socket.once("error", reject);
    socket.on("close", () => {
      timeout.cancel();
      if (connection === null)
        reject(new Error(`the runner at ${socketPath} closed the connection before it was ready`));
      else listener.onClose(connection);
    });
    readLines(socket, (text) => {
      const report = JSON.parse(text) as Report;
      if (report.is !== "hello") {
        if (connection !== null) listener.onReport(connection, report);
        return;
      }
      timeout.cancel();
      socket.removeListener("error", reject).on("error", () => {});
      connection = {
        runnerId: report.runner,
        send: (order) => {
          if (!socket.writable) return;
          corkForThisTask(socket);
          writeLine(socket, order);
        },
        // closes after the last order has been sent, which is often a `forget`
        close: () => socket.destroySoon(),
      };
      resolve(connection);
    });
  });
}

/** Sends the orders of one round together, at its end. */
function corkForThisTask(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  queueMicrotask(() => socket.uncork());
}
