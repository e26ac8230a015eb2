import { build } from "esbuild";
import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { startDaemon } from "../../server/tests/support/harness.ts";
import { connectBrowser } from "../src/browser.ts";
import { isUncertainOutcomeError, NotFoundError } from "../src/index.ts";
import { startProxy } from "./proxy.ts";

const key = "key-of-the-page";
const headers = { authorization: `Bearer ${key}` };

/** What a page has, without anything of Node. */
const { fetch, Request, Response, Headers, URL, URLSearchParams, AbortController, AbortSignal, ReadableStream } =
  globalThis;
const { TextDecoder, TextEncoder, crypto, atob, setTimeout, clearTimeout, FormData, Blob } = globalThis;
const pageGlobals = {
  fetch,
  Request,
  Response,
  Headers,
  URL,
  URLSearchParams,
  AbortController,
  AbortSignal,
  ReadableStream,
};
const moreGlobals = { TextDecoder, TextEncoder, crypto, atob, setTimeout, clearTimeout, FormData, Blob };

const program = `
  import { connectBrowser } from "@belfry/client/browser";
  export async function use(baseUrl, headers) {
    const client = connectBrowser({ baseUrl, headers });
    const task = await client.tasks.create({ name: "Page", command: { kind: "shell", script: "echo hello" } });
    const events = client.events.subscribe({ kinds: ["run"] });
    const first = (await events.next()).value;
    const run = await client.tasks.runAndWait(task.id);
    const second = (await events.next()).value;
    await events.return();
    return [first.kind, second.id === run.id, run.outcome, await client.runs.outputText(run.id)];
  }
`;

test("a bundle for browsers has nothing of Node, and calls and streams through a proxy", async () => {
  const root = new URL("..", import.meta.url).pathname;
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: root, loader: "ts" },
    absWorkingDir: root,
    alias: { "@belfry/client/browser": "./src/browser.ts" },
    bundle: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "iife",
    globalName: "page",
    conditions: ["@belfry/source"],
    logLevel: "silent",
  });
  const inputs = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(inputs.filter((path) => path.startsWith("node:"))).toEqual([]);
  await using daemon = await startDaemon();
  await using proxy = await startProxy(daemon.socketPath, key);
  const page = createContext({ ...pageGlobals, ...moreGlobals, key, origin: proxy.origin });
  runInContext(outputFiles[0]!.text, page);
  const used: unknown = await runInContext("page.use(`${origin}/daemon`, { authorization: `Bearer ${key}` })", page);
  expect(JSON.stringify(used)).toBe(JSON.stringify(["resync", true, "success", "hello\n"]));
  expect(proxy.seen).toContain("GET /daemon/v1/events?kinds=run");
});

test("a mutation whose answer is lost is uncertain, and a read that fails is repeated", async () => {
  await using daemon = await startDaemon();
  await using proxy = await startProxy(daemon.socketPath, key);
  let failures = 0;
  const client = connectBrowser({
    baseUrl: `${proxy.origin}/daemon/`,
    headers,
    delayMs: () => 0,
    fetch: async (request) => {
      const response = await fetch(request);
      const isLost = request.method === "POST" || failures < 2;
      if (isLost) failures += 1;
      if (isLost) throw new TypeError("Failed to fetch");
      return response;
    },
  });
  expect((await client.tasks.list()).tasks).toEqual([]);
  expect(failures).toBe(2);
  const error: unknown = await client.tasks.create({ name: "Page" }).catch((thrown: unknown) => thrown);
  if (!isUncertainOutcomeError(error)) throw error;
  expect(await error.settle()).toBe("committed");
  await expect(client.tasks.get("tsk_4fzH1TqWb8YkV0c2LxNd")).rejects.toBeInstanceOf(NotFoundError);
});
