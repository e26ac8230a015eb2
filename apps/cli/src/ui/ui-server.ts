import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { usage } from "../failure.ts";
import { answerRefusal, fileHeaders, pageHeaders, Refusal } from "./answer.ts";
import {
  checkEmbedding,
  checkHost,
  checkSameOrigin,
  readTarget,
  requireSession,
  single,
  type Target,
} from "./check-request.ts";
import { DaemonLinks } from "./daemon-links.ts";
import { explainFailure } from "./explain.ts";
import { forward } from "./forward.ts";
import { matchOperation } from "./match-operation.ts";
import { apiPrefix, noncePlaceholder, profileHeader, shellPrefix, tokenFragment } from "./names.ts";
import { readScreens } from "./screens.ts";
import { Sessions } from "./sessions.ts";
import { createShellRoutes } from "./shell-routes.ts";
import type { LinkParts } from "./daemon-links.ts";

/** A browser uses up to six; other users of the machine can open connections too. */
const connectionsMax = 256;

export interface UiServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** Makes an address that opens the screens once, within a minute. */
  readonly newAddress: () => string;
}

export interface UiServerParts extends LinkParts {
  /** 0 chooses a free port. */
  readonly port: number;
  /** The folder with the build of the screens. */
  readonly screens: string;
}

/** Serves the screens on the loopback interface, and calls daemons for them. */
export async function serveUi(parts: UiServerParts): Promise<UiServer> {
  const screens = readScreens(parts.screens);
  const sessions = new Sessions(parts.host.now);
  const links = new DaemonLinks(parts);
  const answerShell = createShellRoutes({ ...parts, sessions, links });
  let authority = "";

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    checkHost(request, authority);
    const target = readTarget(request);
    if (target.path.startsWith(apiPrefix)) return callDaemon(request, response, target);
    if (target.path.startsWith(shellPrefix)) {
      checkSameOrigin(request, authority);
      return answerShell(request, response, target.path);
    }
    checkEmbedding(request, authority);
    return answerFile(request, response, target);
  };

  const callDaemon = async (
    request: IncomingMessage,
    response: ServerResponse,
    { path, search }: Target,
  ): Promise<void> => {
    checkSameOrigin(request, authority);
    const { ended } = requireSession(request, sessions);
    const profile = single(request, profileHeader);
    if (profile === null)
      throw new Refusal(400, "validation_failed", { message: `the header ${profileHeader} is missing` });
    const link = await links.open(profile);
    const matched = matchOperation(request.method ?? "", path.slice(apiPrefix.length - 1), link.kind);
    if (matched === null)
      throw new Refusal(404, "not_found", { message: "the API of this daemon has no such operation" });
    await forward(request, response, { ...matched, search, link, ended });
  };

  const answerFile = (request: IncomingMessage, response: ServerResponse, { path }: Target): void => {
    if (request.method !== "GET" && request.method !== "HEAD")
      throw new Refusal(405, "method_not_allowed", { message: "files are only read" });
    const file = screens.files.get(path);
    if (file !== undefined) {
      response.writeHead(200, { ...fileHeaders(file.type, file.isHashed), "Content-Length": file.bytes.byteLength });
      return void response.end(request.method === "HEAD" ? undefined : file.bytes);
    }
    // the one page; the places in it are in the fragment of its address
    if (path !== "/") throw new Refusal(404, "not_found", { message: "there is no such file" });
    const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url");
    response.writeHead(200, pageHeaders(nonce));
    response.end(request.method === "HEAD" ? undefined : screens.index.replaceAll(noncePlaceholder, nonce));
  };

  const server = createServer(
    {
      requireHostHeader: false,
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 30_000,
    },
    (request, response) => {
      handle(request, response)
        .catch(async (error: unknown) => {
          if (response.destroyed) return;
          if (response.headersSent) return void response.destroy();
          answerRefusal(request, response, await explainFailure(error));
        })
        // one request that cannot be answered must not end the command for all tabs
        .catch(() => response.destroy());
    },
  );
  server.maxConnections = connectionsMax;
  server.on("clientError", (_error, socket: Socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    else socket.destroy();
  });
  const port = await listen(server, parts.port);
  // a browser leaves the standard port out
  authority = new URL(`http://127.0.0.1:${port}/`).host;
  const origin = `http://${authority}`;
  return {
    origin,
    newAddress: () => `${origin}/#${tokenFragment}=${sessions.launch()}`,
    [Symbol.asyncDispose]: async () => {
      links[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(describeListenError(error, port)));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function describeListenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === "EADDRINUSE") return usage(`port ${port} is already in use. Choose another with --port`);
  if (error.code === "EACCES") return usage(`you may not listen on port ${port}. Choose one above 1023 with --port`);
  return error;
}
