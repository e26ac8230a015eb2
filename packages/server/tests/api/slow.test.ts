import { limits } from "@belfry/contract";
import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { query } from "../support/api.ts";
import { type DaemonProcess, useDaemonProcess } from "../support/processes/daemon-process.ts";
import { hang } from "../support/raw.ts";

const daemons = useDaemonProcess();

/** Far above the usual time, far below the delay that a slow client could cause. */
const healthMaxMs = 1_000;

/** Measures the median of forty sequential calls. Tests compare it with the same figure of an idle daemon. */
async function usualHealthMs(daemon: DaemonProcess): Promise<number> {
  const tookMs: number[] = [];
  for (let count = 0; count < 40; count++) {
    const from = performance.now();
    expect((await daemon.call("GET", "/v1/health")).status).toBe(200);
    tookMs.push(performance.now() - from);
  }
  return tookMs.sort((a, b) => a - b)[20]!;
}

const head = "POST /v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

test("health is answered promptly while hundreds of clients send their headers and bodies slowly", async () => {
  await using daemon = await daemons.start();
  const idleMs = await usualHealthMs(daemon);
  const sockets = await Promise.all(
    Array.from({ length: 300 }, (_, index) => {
      if (index % 3 === 0) return hang(daemon.socketPath, "GET /v1/health HTTP/1.1\r\nHo");
      if (index % 3 === 1) return hang(daemon.socketPath, `${head}Content-Length: 1000000\r\n\r\n{"name":`);
      return hang(daemon.socketPath, `${head}Transfer-Encoding: chunked\r\n\r\nff\r\n{"na`);
    }),
  );
  expect(await usualHealthMs(daemon)).toBeLessThanOrEqual(idleMs + healthMaxMs);
  for (const socket of sockets) socket.write("x");
  expect(await usualHealthMs(daemon)).toBeLessThanOrEqual(idleMs + healthMaxMs);
  for (const socket of sockets) socket.destroy();
  expect(await usualHealthMs(daemon)).toBeLessThanOrEqual(idleMs + healthMaxMs);
});

test("health is answered promptly while bodies arrive that are too long, deep, wide or numerically large", async () => {
  await using daemon = await daemons.start();
  const fill = (piece: string) => piece.repeat(Math.floor((limits.bodyBytesMax - 100) / piece.length));
  const bodies = [
    " ".repeat(limits.bodyBytesMax + 1),
    `{"name":"a","labels":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    `{"name":"${fill("x")}"}`,
    `{"name":"a","__proto__":{${fill('"A":0,')}"A":0}}`,
    `{"name":"a","priority":${fill("9")}}`,
    `{"name":"a","priority":1e${fill("9")}}`,
    `{"name":"a","success_exit_codes":[${fill("0,")}0]}`,
    `{"name":"a","command":{"kind":"exec","program":"x","arguments":[${fill('"",')}""]}}`,
  ];
  const idleMs = await usualHealthMs(daemon);
  let isOver = false;
  const sending = (async () => {
    const statuses = new Set<number>();
    while (!isOver) for (const body of bodies) statuses.add((await daemon.call("POST", "/v1/tasks", body)).status);
    return statuses;
  })();
  const besideMs = await usualHealthMs(daemon);
  isOver = true;
  expect(await sending).toEqual(new Set([400, 413]));
  expect(besideMs).toBeLessThanOrEqual(idleMs + healthMaxMs);
});

test("a client that disconnects within its body leaves an audit row of its refusal, and no error in the log", async () => {
  await using daemon = await daemons.start();
  const socket = await hang(daemon.socketPath, `${head}Content-Length: 100\r\n\r\n{"name":`);
  socket.destroy();
  const row = await until(
    "the row of the refusal",
    () => query(daemon, "SELECT operation, result, error_code FROM audit_events")[0],
  );
  expect(row).toEqual({ operation: "tasks.create", result: "failed", error_code: "validation_failed" });
  expect((await daemon.call("GET", "/v1/tasks")).json.tasks).toEqual([]);
  expect(daemon.output()).not.toContain("ERROR");
});
