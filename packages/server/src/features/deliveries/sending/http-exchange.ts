import type { Socket } from "node:net";
import type { Clock } from "../../../kernel/time/clock.ts";
import { invariant } from "../../../kernel/errors/invariant.ts";
import { type AnswerReader, createAnswerReader } from "./answer-reader.ts";

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The limits for reading the rest of an answer. It is read because a receiver may take a reset for a failure. */
const restBytesMax = 64 * 1024;
const restMs = 1_000;
/** The maximum number of connections that wait for the rest of an answer. Any further one is closed immediately. */
const awaitedMax = 64;

export type HttpExchange = ReturnType<typeof createHttpExchange>;

export function createHttpExchange(clock: Clock) {
  const awaited = new Set<Socket>();

  return {
    /**
     * Sends one POST. Resolves with the status as soon as the headers of the answer arrive, and discards the body.
     * Calls `onReusable` with the status once the answer has ended and the connection can take another request.
     */
    post: (post: Post, socket: Socket, onReusable: (status: number) => void): Promise<number> => {
      send(post, socket);
      // a thousand receivers may hang, so nothing of the request stays in memory while it waits for its answer
      return receive(socket, onReusable);
    },
    close: (): void => {
      for (const socket of awaited) socket.destroy();
    },
  };

  function receive(socket: Socket, onReusable: (status: number) => void): Promise<number> {
    return new Promise((resolve, reject) => {
      let reader: AnswerReader | null = null;
      const fail = (error: unknown): void => {
        leave();
        socket.destroy();
        reject(error);
      };
      const onClose = (): void => fail(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
      const onData = (chunk: Buffer): void => {
        try {
          reader ??= createAnswerReader();
          reader.read(chunk);
        } catch (error) {
          return fail(error);
        }
        const { status } = reader;
        if (status === null) return;
        leave();
        resolve(status);
        finish(socket, reader, onReusable);
      };
      const leave = (): void => void socket.off("data", onData).off("error", fail).off("close", onClose);
      socket.on("data", onData).on("error", fail).on("close", onClose);
    });
  }

  /** Reads the rest of an answer whose status is known. */
  function finish(socket: Socket, reader: AnswerReader, onReusable: (status: number) => void): void {
    if (reader.state === "ended" && reader.isKeptAlive) return onReusable(reader.status!);
    if (reader.state !== "body" || awaited.size >= awaitedMax) return void socket.destroy();
    let bytes = 0;
    const timer = clock.after(restMs, () => socket.destroy());
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      reader.read(chunk);
      if (reader.state === "body" && bytes <= restBytesMax) return;
      leave();
      if (reader.state === "ended" && reader.isKeptAlive) onReusable(reader.status!);
      else socket.destroy();
    };
    const leave = (): void => {
      timer.cancel();
      awaited.delete(socket);
      socket.off("data", onData).off("close", leave);
    };
    awaited.add(socket);
    socket.on("data", onData).on("close", leave);
  }
}

function send({ url, headers, body }: Post, socket: Socket): void {
  const all = {
    host: url.host,
    connection: "keep-alive",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
  ];
  invariant(
    lines.every((line) => /^[ -~]+$/.test(line)),
    "a request has lines of printable ASCII",
  );
  // one packet, if it fits
  socket.cork();
  socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  socket.write(body);
  socket.uncork();
}
