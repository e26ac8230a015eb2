import { connect, type Socket } from "node:net";
import type { Clock } from "../../kernel/time/clock.ts";
import { readLines, writeLine } from "../../runner/protocol/lines.ts";
import type { Order, Report } from "../../runner/protocol/messages.ts";

/** A connection to one runner: orders down, reports up, one JSON object a line. */
export interface RunnerLine {
  readonly runnerId: string;
  readonly send: (order: Order) => void;
  readonly close: () => void;
}

export interface LineListener {
  readonly onReport: (line: RunnerLine, report: Report) => void;
  readonly onClose: (line: RunnerLine) => void;
}

/** Resolves with the runner's `hello`: from then on it takes orders. Rejects when nobody answers in time. */
export function openLine(
  socketPath: string,
  listener: LineListener,
  patience: { readonly clock: Clock; readonly withinMs: number },
): Promise<RunnerLine> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    let line: RunnerLine | null = null;
    const limit = patience.clock.after(patience.withinMs, () =>
      socket.destroy(new Error(`the runner at ${socketPath} does not answer`)),
    );
    socket.once("error", reject);
    socket.on("close", () => {
      limit.cancel();
      if (line === null) reject(new Error(`the runner at ${socketPath} closed the line before it said hello`));
      else listener.onClose(line);
    });
    readLines(socket, (text) => {
      const report = JSON.parse(text) as Report;
      if (report.is !== "hello") {
        if (line !== null) listener.onReport(line, report);
        return;
      }
      limit.cancel();
      socket.removeListener("error", reject).on("error", () => {});
      line = {
        runnerId: report.runner,
        send: (order) => {
          if (!socket.writable) return;
          sendTogether(socket);
          writeLine(socket, order);
        },
        // after what was ordered last: a `forget`, most often
        close: () => socket.destroySoon(),
      };
      resolve(line);
    });
  });
}

/** The orders of one round leave in one piece, at its end. */
function sendTogether(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  queueMicrotask(() => socket.uncork());
}
