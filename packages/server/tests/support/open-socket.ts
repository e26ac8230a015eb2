import { tempDir } from "@belfry/test-kit";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { listenLocally } from "../../src/transports/local/listen.ts";
import { openTestApplication, type TestApplicationOptions } from "./application.ts";

export type OpenSocket = Awaited<ReturnType<typeof openSocket>>;

/** The application of a daemon behind a real socket. */
export async function openSocket(options: TestApplicationOptions = {}) {
  const dir = await tempDir("bf-");
  const app = await openTestApplication({ canRun: true, ...options });
  const path = join(dir.path, "s");
  const listener = await listenLocally({
    path,
    version: "test",
    fetch: app.fetch,
    overrideGlobalObjects: false,
    onUnexpected: (error) => {
      throw error;
    },
  });
  const open = (target: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const sent = { accept: "text/event-stream", ...headers };
      get({ socketPath: path, path: target, headers: sent }, resolve).once("error", reject);
    });
  return {
    app,
    path,
    open,
    [Symbol.asyncDispose]: async () => {
      await listener.close();
      await app[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
