import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a page's server does: passes the requests below `/daemon` that have the key on to the daemon's socket. */
export async function startProxy(socketPath: string, key: string) {
  const seen: string[] = [];
  const answer = (from: IncomingMessage, to: ServerResponse): void => {
    const { method, headers, url = "" } = from;
    seen.push(`${method} ${url}`);
    if (headers.authorization !== `Bearer ${key}` || !url.startsWith("/daemon/")) {
      to.writeHead(404).end();
      return;
    }
    // what a browser adds, the daemon rejects
    const { authorization: _, host: __, origin: ___, referer: ____, ...kept } = headers;
    const path = url.slice("/daemon".length);
    const onward = request({ socketPath, method, path, headers: kept }, (reply) => {
      to.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(to);
    });
    onward.on("error", () => (to.headersSent ? to.destroy() : to.writeHead(502).end()));
    to.on("close", () => onward.destroy());
    from.pipe(onward);
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: seen as readonly string[],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
