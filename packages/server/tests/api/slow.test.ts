import { limits } from "@belfry/contract";
import { until } from "@belfry/test-kit";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { query } from "../support/api.ts";
import { type DaemonProcess, useDaemonProcess } from "../support/processes/daemon-process.ts";
import { hang } from "../support/raw.ts";

const daemons = useDaemonProcess();

/** Makes forty sequential calls, each of which must be answered. */
async function expectHealth(daemon: DaemonProcess): Promise<void> {
  for (let count = 0; count < 40; count++) expect((await daemon.call("GET", "/v1/health")).status).toBe(200);
}

/** The processor time that a process has used. Unlike time on a clock, it does not pass while others use the processor. */
function usedMs({ pid }: { readonly pid: number }): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  // Linux counts in hundredths of a second
  return (Number(user) + Number(system)) * 10;
}

const head = "POST /v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

test("health is answered while hundreds of clients send their headers and bodies slowly", async () => {
  await using daemon = await daemons.start();
  // a slow client is disconnected after a minute, which a busy machine may take for the calls
  await until("answers before the daemon disconnects any of them", async () => {
    using clients = await openSlowClients(daemon);
    await expectHealth(daemon);
    clients.sendMore();
    await expectHealth(daemon);
    return clients.areOpen();
  });
  await expectHealth(daemon);
});

async function openSlowClients(daemon: DaemonProcess) {
  const sockets = await Promise.all(
    Array.from({ length: 300 }, (_, index) => {
      if (index % 3 === 0) return hang(daemon.socketPath, "GET /v1/health HTTP/1.1\r\nHo");
      if (index % 3 === 1) return hang(daemon.socketPath, `${head}Content-Length: 1000000\r\n\r\n{"name":`);
      return hang(daemon.socketPath, `${head}Transfer-Encoding: chunked\r\n\r\nff\r\n{"na`);
    }),
  );
  // without a reader, a socket does not learn that it was closed
  for (const socket of sockets) socket.resume();
  return {
    sendMore: () => {
      for (const socket of sockets) socket.write("x");
    },
    areOpen: () => sockets.every((socket) => !socket.destroyed && !socket.readableEnded),
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Far above what a body usually takes, far below what a slow one could. Nobody is answered during this time. */
const bodyMaxMs = 1_000;

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
  const statuses = new Set<number>();
  for (const body of bodies) {
    // a single try may also contain work of the daemon's own
    await until("a body that takes little time", async () => {
      const before = usedMs(daemon);
      const [{ status }, health] = await Promise.all([
        daemon.call("POST", "/v1/tasks", body),
        daemon.call("GET", "/v1/health"),
      ]);
      statuses.add(status);
      expect(health.status).toBe(200);
      return usedMs(daemon) - before <= bodyMaxMs;
    });
  }
  expect(statuses).toEqual(new Set([400, 413]));
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
