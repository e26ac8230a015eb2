import { tempDir } from "@belfry/test-kit";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Something that listens at a daemon's socket, and answers whatever the test wants. */
export async function anyDaemon(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const dir = await tempDir("bd-");
  const socket = join(dir.path, "belfry.sock");
  const seen: Seen[] = [];
  const open = new Set<Socket>();
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        seen.push({ method: request.method ?? "", url: request.url ?? "", rawHeaders: request.rawHeaders, body });
        answer(response, request);
      },
      () => {},
    );
  });
  server.on("connection", (connection: Socket) => {
    open.add(connection);
    connection.on("close", () => open.delete(connection));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    socket,
    seen: seen as readonly Seen[],
    openConnections: () => open.size,
    /** The bytes that the server has written and nobody has taken yet, on all connections. */
    unsentBytes: () => [...open].reduce((sum, { writableLength }) => sum + writableLength, 0),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dir[Symbol.asyncDispose]();
    },
  };
}
