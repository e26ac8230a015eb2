import { tempDir, until } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listenLocally } from "./listen.ts";

async function listen(path: string, fetch: () => Response | Promise<Response> = () => new Response("hello")) {
  const unexpected: unknown[] = [];
  const listener = await listenLocally({
    path,
    version: "1.4.0",
    fetch,
    overrideGlobalObjects: false,
    onUnexpected: (error, requestId) => void unexpected.push([error, requestId]),
  });
  return { unexpected, [Symbol.asyncDispose]: () => listener.close() };
}

function get(socketPath: string): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path: "/", agent: false }, (incoming) => {
      let text = "";
      incoming
        .on("data", (part) => (text += String(part)))
        .on("end", () => resolve({ status: incoming.statusCode, text }));
    });
    outgoing.on("error", reject).end();
  });
}

test("only the owner can use a socket and its folder, and closing removes the socket", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "run", "belfry.sock");
  {
    await using _listener = await listen(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir.path, "run")).mode & 0o777).toBe(0o700);
    expect(await get(path)).toEqual({ status: 200, text: "hello" });
  }
  expect(existsSync(path)).toBe(false);
});

test("a socket that a killed program left is taken over", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "s");
  const child = spawn(process.execPath, ["-e", `require("net").createServer().listen(${JSON.stringify(path)})`], {
    stdio: "ignore",
  });
  await until("the other's socket", () => existsSync(path));
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  expect(existsSync(path)).toBe(true);
  await using _listener = await listen(path);
  expect((await get(path)).status).toBe(200);
});

test("a socket that answers, a file and a folder are not replaced", async () => {
  await using dir = await tempDir();
  const [taken, file, folder] = ["taken", "file", "folder"].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  await using _listener = await listen(taken);
  await expect(listen(taken)).rejects.toThrow(
    `another program is listening on the socket ${taken}: stop that program or choose another --socket`,
  );
  await writeFile(file, "kept");
  await mkdir(folder);
  for (const path of [file, folder]) {
    await expect(listen(path)).rejects.toThrow(
      `${path} exists but is not a socket: move the file away or choose another --socket`,
    );
    expect(existsSync(path)).toBe(true);
  }
  expect((await get(taken)).status).toBe(200);
});

/** Sends these bytes, and returns everything that the daemon answers before the connection ends. */
function say(socketPath: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const socket = connect(socketPath);
    socket.on("data", (part) => (said += String(part))).on("error", reject);
    socket.on("close", () => resolve(said));
    socket.write(bytes);
  });
}

test("garbage after a complete request is refused after the answer to that request", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "s");
  let answer: (() => void) | null = null;
  await using _listener = await listen(path, async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return new Response("took effect");
  });
  const saying = say(path, "DELETE / HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n");
  await until("the request", () => answer !== null);
  answer!();
  const said = await saying;
  expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
});

test("a request with a broken body is refused once, even if more bytes follow", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "s");
  await using _listener = await listen(path, async () => new Promise<never>(() => {}));
  const said = await say(
    path,
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${"zz\r\n".repeat(50_000)}`,
  );
  expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
});

test("closing waits for a request in flight, but only briefly for a request that hangs", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "s");
  const steps: string[] = [];
  const answers: (() => void)[] = [];
  const listener = await listen(path, async () => {
    await new Promise<void>((resolve) => answers.push(resolve));
    steps.push("handled");
    return new Response("too late");
  });
  const asking = [get(path), get(path)].map((asked) => asked.catch(() => steps.push("cut off")));
  await until("both requests", () => answers.length === 2);
  const closing = listener[Symbol.asyncDispose]().then(() => steps.push("closed"));
  await Promise.all(asking);
  answers[0]!();
  await closing;
  expect(steps).toEqual(["cut off", "cut off", "handled", "closed"]);
});

test("an error outside every route is a JSON error and is logged, and the next call is answered", async () => {
  await using dir = await tempDir();
  let fails = true;
  await using listener = await listen(join(dir.path, "s"), async () => {
    if (fails) throw new Error("the planted cause");
    return new Response("hello");
  });
  const refused = await get(join(dir.path, "s"));
  expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([500, "internal"]);
  expect(refused.text).not.toContain("planted");
  const requestId = expect.stringMatching(/^req_[0-9A-Za-z]{20}$/);
  expect(listener.unexpected).toEqual([[expect.objectContaining({ message: "the planted cause" }), requestId]]);
  expect(JSON.parse(refused.text).error.message).toContain((listener.unexpected as [unknown, string][])[0]![1]);
  fails = false;
  expect((await get(join(dir.path, "s"))).text).toBe("hello");
});
