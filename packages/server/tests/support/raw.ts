import { connect, type Socket } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the daemon asked for the body first. */
  readonly isContinued: boolean;
  /** Whether the daemon closed the connection after its answer. */
  readonly isClosed: boolean;
}

/** Sends raw bytes that no HTTP client would send, and returns the answer. `place` is a socket's path, or opens a connection. */
export function exchange(
  place: string | (() => Socket),
  bytes: string | Buffer,
  options: { readonly isHead?: boolean } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = typeof place === "string" ? connect(place) : place();
    let received = Buffer.alloc(0);
    const finish = (isClosed: boolean): void => {
      const answer = parse(received, { ...options, isClosed });
      if (answer === null && !isClosed) return;
      socket.destroy();
      if (answer === null) reject(new Error(`no whole answer came: ${JSON.stringify(received.toString("latin1"))}`));
      else resolve(answer);
    };
    socket.on("data", (part) => {
      received = Buffer.concat([received, part]);
      finish(false);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // the daemon may refuse before everything was sent
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
    });
    socket.on("close", () => finish(true));
    socket.write(bytes);
  });
}

/** Opens a connection, sends these bytes, and leaves the connection idle. */
export async function hang(socketPath: string, bytes: string): Promise<Socket> {
  const socket = connect(socketPath);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  socket.on("error", () => {});
  socket.write(bytes);
  return socket;
}

function parse(received: Buffer, options: { readonly isHead?: boolean; readonly isClosed: boolean }): RawAnswer | null {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first, ...lines] = received.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first!)?.[1]);
  if (status === 100) {
    const answer = parse(received.subarray(end + 4), options);
    return answer === null ? null : { ...answer, isContinued: true };
  }
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const body = received.subarray(end + 4);
  const isWhole =
    options.isHead === true ||
    status === 204 ||
    body.length >= Number(headers["content-length"] ?? Number.POSITIVE_INFINITY);
  if (!isWhole && !options.isClosed) return null;
  return { status, headers, body: body.toString("utf8"), isContinued: false, isClosed: options.isClosed };
}
