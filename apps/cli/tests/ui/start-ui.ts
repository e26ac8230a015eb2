import { tempDir } from "@belfry/test-kit";
import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import type { Host } from "../../src/host.ts";
import { Output } from "../../src/output/output.ts";
import { serveUi } from "../../src/ui/ui-server.ts";

export interface UiOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly socket?: string;
  readonly initial?: string;
  readonly now?: () => number;
  readonly timeoutMs?: number;
  /** The text of the page's script. */
  readonly script?: string;
  readonly keychain?: Host["keychain"];
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed body; the tests know its members. */
  readonly json: any;
}

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Belfry</title>
<meta property="csp-nonce" nonce="__BELFRY_NONCE__">
<link rel="stylesheet" href="/assets/index-1a2b.css"><script type="module" src="/assets/index-1a2b.js"></script>
</head><body><main id="root"></main></body></html>
`;

/** A build of screens as Vite makes one. */
export async function writeScreens(folder: string, script = ""): Promise<void> {
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(folder, "index.html"), page);
  await writeFile(join(folder, "assets", "index-1a2b.js"), script);
  await writeFile(join(folder, "assets", "index-1a2b.css"), "main { color: rgb(1, 2, 3) }\n");
  await writeFile(join(folder, "favicon.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>\n');
}

/** Serves a build of screens in this process: `await using ui = await startUi({ socket })`. */
export async function startUi(options: UiOptions = {}) {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await tempDir("bu-"));
  const screens = join(home.path, "screens");
  await writeScreens(screens, options.script);
  const written: string[] = [];
  const sink = { write: (text: string | Uint8Array) => written.push(Buffer.from(text).toString()) };
  const host: Host = {
    ownsProcess: false,
    stdin: { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: "" }) }) },
    stdout: sink,
    stderr: sink,
    environment: { HOME: home.path, XDG_CONFIG_HOME: join(home.path, "config"), ...options.environment },
    keychain: options.keychain ?? null,
    now: options.now ?? Date.now,
    onInterrupt: () => ({ [Symbol.dispose]: () => {} }),
    exit: () => {},
  };
  const server = opened.use(
    await serveUi({
      host,
      out: new Output(host, false),
      location: { socket: options.socket ?? join(home.path, "no.sock"), dataDir: null, profile: null },
      initial: options.initial ?? "local",
      timeoutMs: options.timeoutMs ?? null,
      port: 0,
      screens,
    }),
  );
  const kept = opened.move();
  const { port } = new URL(server.origin);
  const send = (sent: Sent): Promise<Got> => sendTo(Number(port), sent);
  const exchange = (token: string): Promise<Got> =>
    send({
      method: "POST",
      path: "/shell/session",
      headers: { "content-type": "application/json", origin: server.origin, "sec-fetch-site": "same-origin" },
      body: JSON.stringify({ token }),
    });
  return {
    origin: server.origin,
    port: Number(port),
    home: home.path,
    environment: host.environment as Readonly<Record<string, string>>,
    written: written as readonly string[],
    newAddress: server.newAddress,
    newToken: (): string => tokenOf(server.newAddress()),
    exchange,
    send,
    /** A session, and the calls of a page that has it. */
    open: async (profile = "local") => {
      const { session } = (await exchange(tokenOf(server.newAddress()))).json as { session: string };
      const headers = { "belfry-session": session, "belfry-profile": profile };
      return {
        session,
        headers,
        call: (method: string, path: string, body?: unknown, more: Sent["headers"] = {}): Promise<Got> =>
          send({
            method,
            path,
            headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }), ...more },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }),
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export function tokenOf(address: string): string {
  return new URLSearchParams(new URL(address).hash.slice(1)).get("token")!;
}

/** Sends a request exactly as given: the path is not normalized. */
export function sendTo(port: number, { method = "GET", path, headers = {}, body }: Sent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, method, path, headers: headers as Record<string, string>, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const isJson = incoming.headers["content-type"] === "application/json" && text !== "";
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            json: isJson ? JSON.parse(text) : {},
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
