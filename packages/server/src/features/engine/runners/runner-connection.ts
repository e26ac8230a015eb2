import { connect, type Socket } from "node:net";
import type { Clock } from "../../../kernel/time/clock.ts";
import { identifyRunner, type RunnerIdentity } from "../../../runner/identity.ts";
import { readLines, writeLine } from "../../../runner/protocol/lines.ts";
import type { Order, Report } from "../../../runner/protocol/messages.ts";
import { createAnswerWatch } from "./answer-watch.ts";

/** A connection to one runner: orders go down, reports come up, one JSON object per line. */
export interface RunnerConnection {
  readonly runner: RunnerIdentity;
  /** The versions of the order to start that this runner reads. */
  readonly startVersions: readonly number[];
  readonly send: (order: Order) => void;
  readonly close: () => void;
  /** Whether the runner has left orders unanswered for ten seconds, and has reported nothing else meanwhile. */
  readonly isSilent: () => boolean;
  readonly listUnansweredStarts: () => readonly string[];
}

export interface ConnectionListener {
  /** `listed` is passed on once every list has been answered: it then covers all earlier orders. */
  readonly onReport: (connection: RunnerConnection, report: Report) => void;
  readonly onSilent: (connection: RunnerConnection) => void;
  readonly onResumed: (connection: RunnerConnection) => void;
  readonly onClose: (connection: RunnerConnection) => void;
}

export interface ConnectionLimit {
  readonly clock: Clock;
  readonly helloTimeoutMs: number;
}

type Hello = Extract<Report, { readonly is: "hello" }>;

/** About ten orders to start. */
const corkedBytesMax = 8 * 1024;

/** No attempt has this id. */
const listKey = "list";

/**
 * Resolves with the connection once the runner has sent `hello`: from then on the runner takes orders. Rejects if no
 * `hello` arrives in time.
 */
export function openConnection(
  socketPath: string,
  listener: ConnectionListener,
  limit: ConnectionLimit,
): Promise<RunnerConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    let take: ((report: Report) => void) | null = null;
    const timeout = limit.clock.after(limit.helloTimeoutMs, () =>
      socket.destroy(new Error(`the runner at ${socketPath} does not answer`)),
    );
    socket.once("error", reject);
    socket.once("close", () => {
      timeout.cancel();
      reject(new Error(`the runner at ${socketPath} closed the connection before it was ready`));
    });
    readLines(socket, (text) => {
      const report = JSON.parse(text) as Report;
      if (report.is !== "hello") return take?.(report);
      timeout.cancel();
      socket.removeListener("error", reject).on("error", () => {});
      const ready = createConnection(socket, report, { listener, clock: limit.clock });
      take = ready.take;
      resolve(ready.connection);
    });
  });
}

/** Whether a runner listens at the socket. The kernel accepts for a process that hangs. A copied socket has no listener. */
export function isServing(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const settle = (isListening: boolean): void => {
      socket.destroy();
      resolve(isListening);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", ({ code }: NodeJS.ErrnoException) => settle(code === "EAGAIN"));
  });
}

function createConnection(
  socket: Socket,
  hello: Hello,
  { listener, clock }: { readonly listener: ConnectionListener; readonly clock: Clock },
) {
  let unansweredLists = 0;
  let hasSentSinceList = false;
  const watch = createAnswerWatch({
    clock,
    onSilent: () => listener.onSilent(connection),
    onResumed: () => listener.onResumed(connection),
  });
  const connection: RunnerConnection = {
    runner: identifyRunner(hello.runner, hello.pid),
    startVersions: hello.startVersions,
    send,
    // closes after the last order has been sent, which is often a `forget`
    close: () => socket.destroySoon(),
    isSilent: watch.isSilent,
    listUnansweredStarts: () => [...watch.unanswered].filter((key) => key !== listKey),
  };
  socket.once("close", () => {
    watch.stop();
    listener.onClose(connection);
  });
  return { connection, take };

  function send(order: Order): void {
    if (!socket.writable) return;
    if (order.do === "list") {
      // the answer to the former one covers all orders so far
      if (unansweredLists > 0 && !hasSentSinceList) return;
      unansweredLists += 1;
      hasSentSinceList = false;
      watch.expect(listKey);
    } else if (order.do !== "forget" && order.do !== "prepare") hasSentSinceList = true;
    if (order.do === "start") watch.expect(order.attempt);
    // the runner prepares while the daemon writes
    if (order.do !== "prepare") corkForThisTask(socket);
    writeLine(socket, order);
    // a cancel has no answer of its own, so a list shows whether the runner reads its orders
    if (order.do === "cancel" && unansweredLists === 0) send({ do: "list" });
  }

  function take(report: Report): void {
    if (report.is !== "listed") {
      // a start that hangs is not answered by a list
      watch.note("attempt" in report && report.is !== "claimed" ? report.attempt : null);
      return listener.onReport(connection, report);
    }
    unansweredLists -= 1;
    const isLast = unansweredLists === 0;
    watch.note(isLast ? listKey : null);
    if (isLast) listener.onReport(connection, report);
  }
}

/** Sends the orders of one round together, at its end. Of many orders, the runner gets the first ones at once. */
function corkForThisTask(socket: Socket): void {
  if (socket.writableLength >= corkedBytesMax) socket.uncork();
  if (socket.writableCorked > 0) return;
  socket.cork();
  queueMicrotask(() => socket.uncork());
}
