import { createServer, type IncomingMessage } from "node:http";
import { usage } from "../failure.ts";
import type { Arrived } from "./check.ts";

export interface Listener extends AsyncDisposable {
  readonly url: string;
}

const bodyBytesMax = 1024 * 1024;

/** Receives requests on the loopback interface and responds with `status`. */
export async function listen(
  port: number,
  status: number,
  onRequest: (arrived: Arrived) => Promise<void>,
): Promise<Listener> {
  const server = createServer((request, response) => {
    const { method = "", headers } = request;
    readBody(request).then(
      async (body) => {
        await onRequest({ method, headers, body });
        response.writeHead(status).end();
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(describeListenError(error, port)));
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if ((bytes += chunk.length) > bodyBytesMax) throw new Error("the body is over 1 MiB");
  }
  return Buffer.concat(chunks);
}

function describeListenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE") return usage(`port ${port} is already in use. Choose another with --port`);
  if (error.code === "EACCES") return usage(`you may not listen on port ${port}. Choose one above 1023 with --port`);
  return error;
}
