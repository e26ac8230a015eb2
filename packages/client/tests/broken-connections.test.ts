import { catalogue } from "@belfry/contract";
import { tempDir } from "@belfry/test-kit";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Client, ConnectionError, UncertainOutcomeError } from "../src/index.ts";
import { connectLocal } from "../src/local.ts";
import { everyMethod } from "./every-method.ts";
import { manifest } from "./fake-daemon.ts";

const head = (type = "application/json") => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n`;

/** How a connection breaks after it was accepted. */
const cuts: Readonly<Record<string, (socket: Socket) => void>> = {
  "after connect": (socket) => socket.destroy(),
  "mid-send": (socket) => socket.once("data", () => socket.destroy()),
  "after send": (socket) => afterSend(socket, () => socket.destroy()),
  "in headers": (socket) => afterSend(socket, () => socket.end("HTTP/1.1 200 OK\r\nContent-Ty")),
  "in body": (socket) => afterSend(socket, () => socket.end(`${head()}Content-Length: 100\r\n\r\n{"id"`)),
  "in a chunked body": (socket) =>
    afterSend(socket, () => socket.end(`${head()}Transfer-Encoding: chunked\r\n\r\n5\r\n{"id"\r\n`)),
  "by an answer of a gateway": (socket) =>
    afterSend(socket, () => socket.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\n\r\noops")),
};

const calls = catalogue
  .filter((operation) => operation.id in everyMethod)
  .map((operation) => ({ ...operation, call: everyMethod[operation.id as keyof typeof everyMethod] }));
const mutations = calls.filter((operation) => operation.kind === "write");
const reads = calls.filter((operation) => operation.kind === "read");

describe.each(Object.keys(cuts))("a connection cut %s", (cut) => {
  test.each(mutations)("leaves the outcome of $id uncertain, and $id is sent once", async ({ id, call }) => {
    await using daemon = await cuttingDaemon(cuts[cut]!);
    const error: unknown = await call(daemon.client).then(null, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(UncertainOutcomeError);
    expect(error).toMatchObject({ operation: id });
    expect(daemon.cutCount()).toBe(1);
  });
});

describe.each(Object.keys(cuts).filter((cut) => !cut.startsWith("by")))("a connection cut %s", (cut) => {
  test.each(reads.filter(({ id }) => id !== "manifest.get"))(
    "fails $id after three attempts of a GET, or one attempt of a POST",
    async ({ call, method }) => {
      await using daemon = await cuttingDaemon(cuts[cut]!);
      await expect(call(daemon.client)).rejects.toBeInstanceOf(ConnectionError);
      expect(daemon.cutCount()).toBe(method === "get" ? 3 : 1);
    },
  );
});

describe("without a daemon", () => {
  test.each(calls)("$id sends nothing, and the error says how to start the daemon", async ({ call }) => {
    await using dir = await tempDir();
    const socketPath = join(dir.path, "belfry.sock");
    await expect(call(connectLocal({ socketPath, delayMs: () => 0 }))).rejects.toMatchObject({
      name: "ConnectionError",
      code: "ENOENT",
      message: `The daemon is not running (no socket at ${socketPath}). Start it with \`belfry daemon run\`.`,
    });
  });
});

test("an import that is only tried leaves nothing uncertain when its answer is lost", async () => {
  await using daemon = await cuttingDaemon(cuts["after send"]!);
  await expect(daemon.client.import.create({ dry_run: true, tasks: [] })).rejects.toBeInstanceOf(ConnectionError);
  await expect(daemon.client.import.create({ tasks: [] })).rejects.toBeInstanceOf(UncertainOutcomeError);
  expect(daemon.cutCount()).toBe(2);
});

test("a connection cut during a large body leaves the outcome uncertain", async () => {
  await using daemon = await cuttingDaemon(cuts["mid-send"]!);
  const huge = daemon.client.tasks.create({ name: "Big", standard_input: "x".repeat(8_000_000) });
  await expect(huge).rejects.toBeInstanceOf(UncertainOutcomeError);
  expect(daemon.cutCount()).toBe(1);
});

test("a daemon that stops between the protocol check and the mutation gets nothing", async () => {
  await using daemon = await cuttingDaemon((socket) => socket.destroy());
  await daemon.client.tasks.create({ name: "A" }).catch(() => undefined);
  await daemon.stop();
  await expect(daemon.client.tasks.create({ name: "B" })).rejects.toMatchObject({
    name: "ConnectionError",
    code: "ENOENT",
  });
  expect(daemon.cutCount()).toBe(1);
});

function afterSend(socket: Socket, then: () => void): void {
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    const [headers, body] = received.split("\r\n\r\n", 2);
    if (body !== undefined && body.length >= Number(/content-length: (\d+)/i.exec(headers ?? "")?.[1] ?? 0)) then();
  });
}

interface CuttingDaemon extends AsyncDisposable {
  readonly client: Client;
  readonly cutCount: () => number;
  readonly stop: () => Promise<void>;
}

/** Answers the manifest before the first mutation, and cuts every other connection. */
async function cuttingDaemon(cut: (socket: Socket) => void): Promise<CuttingDaemon> {
  const dir = await tempDir();
  const socketPath = join(dir.path, "belfry.sock");
  const sockets = new Set<Socket>();
  let count = 0;
  let expectsManifest = true;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    if (!expectsManifest) {
      count += 1;
      return cut(socket);
    }
    socket.once("data", (chunk) => {
      expectsManifest = false;
      if (chunk.toString().startsWith("GET /v1/manifest ")) return socket.end(manifestAnswer);
      count += 1;
      socket.unshift(chunk);
      return cut(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    client: connectLocal({ socketPath, delayMs: () => 0 }),
    cutCount: () => count,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const manifestText = JSON.stringify(manifest);
const manifestAnswer = `${head()}Content-Length: ${manifestText.length}\r\nConnection: close\r\n\r\n${manifestText}`;
