import { errorStatus } from "@belfry/contract";
import { tempDir } from "@belfry/test-kit";
import { createHash } from "node:crypto";
import { connect as connectPlain } from "node:net";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Edge, edges } from "../support/edges.ts";
import { type DaemonProcess, useDaemonProcess } from "../support/processes/daemon-process.ts";
import { exchange } from "../support/raw.ts";
import { callRemote, configureRemote, enrol, raisedLimits, rootOf, untilListening } from "../support/remote-process.ts";

const daemons = useDaemonProcess();
let dir: Awaited<ReturnType<typeof tempDir>>;
let daemon: DaemonProcess;
let port: number;
let token: string;

beforeAll(async () => {
  dir = await tempDir("br-");
  port = await configureRemote(dir.path, raisedLimits);
  daemon = await daemons.start({ dataDir: dir.path });
  await untilListening(daemon);
  token = (await enrol(daemon, port)).access_token;
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

/** Bytes without a pattern, the same in each run. */
function noise(length: number, start = 0): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash("sha256").update(`${start} ${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

const dial = () => connect({ host: "127.0.0.1", port, ca: rootOf(daemon) });

async function expectHealthy(): Promise<void> {
  expect((await daemon.call("GET", "/v1/health")).status).toBe(200);
  expect((await callRemote(daemon, port, { path: "/api/v1/health" })).status).toBe(200);
}

/** The same request for the remote API, from a caller with a valid token. */
function remotely(bytes: string | Buffer): Buffer {
  const text = Buffer.from(bytes).toString("latin1").replaceAll("/v1/", "/api/v1/");
  const end = text.indexOf("\r\n");
  const isRequest = /^[A-Z]+ \S+ HTTP\/1\.[01]\r\n/.test(text);
  const whole = isRequest ? `${text.slice(0, end)}\r\nAuthorization: Bearer ${token}${text.slice(end)}` : text;
  return Buffer.from(whole, "latin1");
}

/** Remotely, no import exists, nor a path with a method that it does not have. */
function codeOf({ code, bytes }: Edge) {
  const isImport = bytes.toString("latin1").startsWith("POST /v1/import");
  return isImport || code === "method_not_allowed" ? "not_found" : code;
}

test.each(edges.filter(({ bytes }) => !bytes.toString("latin1").startsWith("CONNECT")))(
  "refuses $what as the local socket does",
  async (edge) => {
    const answer = await exchange(dial, remotely(edge.bytes));
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: codeOf(edge), message: expect.any(String) } });
    expect(answer.status).toBe(errorStatus[codeOf(edge)]);
    expect(answer.headers["x-request-id"]).toMatch(/^req_/);
    await expectHealthy();
  },
);

/** Sends bytes to the port without TLS, or with broken TLS, and waits until the daemon closes the connection. */
function throwAt(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connectPlain(port, "127.0.0.1", () => socket.end(bytes));
    socket.on("data", (part: Buffer) => parts.push(part)).on("error", () => {});
    socket.on("close", () => resolve(Buffer.concat(parts)));
  });
}

const clientHello = Buffer.from(`16030100c6010000c20303${"00".repeat(32)}00`, "hex");

test.each([
  ["plain HTTP", Buffer.from("GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n")],
  ["nothing", Buffer.alloc(0)],
  ["zeros", Buffer.alloc(5_000)],
  ["half a greeting", clientHello],
  ["a greeting of a wrong length", Buffer.concat([Buffer.from("1603010005", "hex"), clientHello])],
  ["a record larger than TLS allows", Buffer.concat([Buffer.from("160301ffff", "hex"), Buffer.alloc(65_535, 1)])],
  ["an alert", Buffer.from("15030300020228", "hex")],
  ["TLS 1.0's greeting of old", Buffer.from("80460103010015000000100100800300800600400200800400808080", "hex")],
  ["noise", noise(20_000)],
])("bytes that are not TLS get no answer of the API, and harm nobody: %s", async (_what, bytes) => {
  expect((await throwAt(bytes)).toString("latin1")).not.toContain("HTTP/1.1");
  await expectHealthy();
});

test("a thousand broken connections leave the daemon as it was", async () => {
  for (let round = 0; round < 20; round++)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => throwAt(noise(1 + ((round * 50 + index) % 700), round))),
    );
  await expectHealthy();
});
