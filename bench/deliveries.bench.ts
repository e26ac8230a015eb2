import { tempDir } from "@belfry/test-kit";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Daemon, startDaemon } from "./daemon.ts";
import { root } from "./processes.ts";
import { ratioOf, type Result } from "./result.ts";
import { percentile } from "./stats.ts";

const rounds = 5;
const channelCount = 100;
const runsARound = 8;
const hungCount = 1_000;
const starts = 150;

/**
 * Compares the rate of durable deliveries to a bare loop, and measures how a thousand hanging receivers affect other
 * work.
 */
export async function benchDeliveries(): Promise<readonly Result[]> {
  return [await benchThroughput(), ...(await benchHung())];
}

/** Measures the deliveries alone, from queued to ended: each run of one task notifies a hundred channels. */
async function benchThroughput(): Promise<Result> {
  await using dir = await tempDir();
  const receiver = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(204).end());
  });
  const origin = await listening(receiver);
  const ours: number[] = [];
  const bare: number[] = [];
  await using daemon = await startDaemon(join(dir.path, "data"));
  const assignments: object[] = [];
  for (let count = 0; count < channelCount; count++) {
    const channel = await daemon.call("POST", "/v1/notification-channels", {
      name: `c${count}`,
      endpoint: `${origin}/hook`,
    });
    assignments.push({ channel_id: channel.id, on_success: true, on_failure: true });
  }
  const concurrency = { limit: runsARound };
  const task = await daemon.call("POST", "/v1/tasks", {
    name: "notified",
    command: { kind: "exec", program: "/bin/true" },
    concurrency,
  });
  await daemon.call("PUT", `/v1/tasks/${task.id}/notifications`, { assignments });
  for (let round = 0; round <= rounds; round++) {
    const rate = await oneRound(daemon, task.id);
    // the first round only warms up the compiled code
    if (round === 0) continue;
    ours.push(rate);
    bare.push(await bareLoop(dir.path, origin));
  }
  receiver.closeAllConnections();
  receiver.close();
  return ratioOf({
    name: "durable deliveries, from queued to ended",
    baseline: "a bare undici loop with one FULL commit each",
    unit: "deliveries/s",
    atLeast: 0.7,
    ours,
    bare,
  });
}

async function oneRound(daemon: Daemon, taskId: string): Promise<number> {
  const runs = new Set<string>();
  for (let count = 0; count < runsARound; count++) runs.add((await daemon.call("POST", `/v1/tasks/${taskId}/run`)).id);
  for (let tries = 0; tries < 600; tries++) {
    await pause(100);
    const { notification_deliveries } = await daemon.call(
      "GET",
      "/v1/notification-deliveries?state=succeeded&limit=1000",
    );
    const own = (notification_deliveries as Ended[]).filter((each) => runs.has(each.run_id));
    if (own.length < runsARound * channelCount) continue;
    const from = Math.min(...own.map((each) => Date.parse(each.created_at)));
    const until = Math.max(...own.map((each) => Date.parse(each.ended_at)));
    return own.length / ((until - from) / 1_000);
  }
  throw new Error("the deliveries did not end");
}

interface Ended {
  readonly run_id: string;
  readonly created_at: string;
  readonly ended_at: string;
}

/** Sends the same number of requests from `bare-deliveries.ts`. Returns its rate per second. */
async function bareLoop(dir: string, origin: string): Promise<number> {
  const script = join(root, "bench", "bare-deliveries.ts");
  const args = [script, join(dir, "bare-loop.db"), origin, String(channelCount * runsARound)];
  // the receiver runs in this process, so a synchronous call would block it
  const { stdout } = await promisify(execFile)(process.execPath, args, { encoding: "utf8" });
  return Number(stdout);
}

async function benchHung(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  const sockets = new Set<Socket>();
  let connectionsMax = 0;
  let isHanging = false;
  const hung = createRawServer((socket) => {
    sockets.add(socket);
    connectionsMax = Math.max(connectionsMax, sockets.size);
    socket
      .on("data", () => void (isHanging || socket.write("HTTP/1.1 204 No Content\r\n\r\n")))
      .on("error", () => {})
      .on("close", () => sockets.delete(socket));
  });
  const hungOrigin = await listening(hung, 4_000);
  const arrivals: number[] = [];
  const healthy = createServer((request, response) => {
    request.resume().on("end", () => {
      arrivals.push(Date.now());
      response.writeHead(204).end();
    });
  });
  const healthyOrigin = await listening(healthy);
  await using daemon = await startDaemon(join(dir.path, "data"));
  const healthyChannel = await daemon.call("POST", "/v1/notification-channels", {
    name: "healthy",
    endpoint: healthyOrigin,
  });
  const quiet = await daemon.call("POST", "/v1/tasks", {
    name: "quiet",
    command: { kind: "exec", program: "/bin/true" },
  });
  const notified = await daemon.call("POST", "/v1/tasks", {
    name: "notified",
    command: { kind: "exec", program: "/bin/true" },
  });
  await daemon.call("PUT", `/v1/tasks/${notified.id}/notifications`, {
    assignments: [{ channel_id: healthyChannel.id, on_success: true, on_failure: true }],
  });
  const notifiers: string[] = [];
  for (let group = 0; group < hungCount / 100; group++) {
    const task = await daemon.call("POST", "/v1/tasks", {
      name: `notifiers ${group}`,
      command: { kind: "exec", program: "/bin/true" },
    });
    const assignments: object[] = [];
    for (let count = 0; count < 100; count++) {
      const channel = await daemon.call("POST", "/v1/notification-channels", {
        name: `hung ${group}-${count}`,
        endpoint: hungOrigin,
      });
      assignments.push({ channel_id: channel.id, on_success: true, on_failure: true });
    }
    await daemon.call("PUT", `/v1/tasks/${task.id}/notifications`, { assignments });
    notifiers.push(task.id);
  }
  const beforeMs = await startDelays(daemon, quiet.id);
  // repeated, so that a thousand requests hang the whole time
  const stopNotifying = new AbortController();
  const notifying = (async () => {
    while (!stopNotifying.signal.aborted) {
      for (const id of notifiers) await daemon.call("POST", `/v1/tasks/${id}/run`);
      await pause(4_000);
    }
  })();
  // the baseline of the memory: the same work with receivers that answer
  await startDelays(daemon, quiet.id);
  const beforeKb = residentKb(daemon.pid);
  connectionsMax = 0;
  isHanging = true;
  for (let waited = 0; sockets.size < hungCount && waited < 200; waited++) await pause(50);
  const hanging = sockets.size;
  const besideMs = await startDelays(daemon, quiet.id);
  const waits: number[] = [];
  for (let count = 0; count < 20; count++) {
    arrivals.length = 0;
    const run = await daemon.call("POST", `/v1/tasks/${notified.id}/run`);
    while (arrivals.length === 0) await pause(2);
    for (let state = ""; state !== "succeeded";) {
      const now = await daemon.call("GET", `/v1/runs/${run.id}`);
      state = now.state;
      if (state === "succeeded") waits.push(arrivals[0]! - Date.parse(now.ended_at));
    }
  }
  // wait until failing lanes also have their extra places
  for (let waited = 0; connectionsMax <= hungCount && waited < 400; waited++) await pause(50);
  await pause(1_000);
  const besideKb = residentKb(daemon.pid);
  stopNotifying.abort();
  await notifying;
  for (const socket of sockets) socket.destroy();
  hung.close();
  healthy.closeAllConnections();
  healthy.close();
  const shift = percentile(besideMs, 99) - percentile(beforeMs, 99);
  const slowest = Math.max(...waits);
  const grownMb = (besideKb - beforeKb) / 1024;
  const of = `${hanging} receivers that hang`;
  return [
    line(`a healthy delivery beside ${of}`, `slowest of ${waits.length}: ${slowest} ms`, "≤ 1000 ms", slowest <= 1_000),
    line(
      `task starts beside ${of}`,
      `p99 ${percentile(beforeMs, 99).toFixed(1)} ms before, ${percentile(besideMs, 99).toFixed(1)} ms with them`,
      "p99 shift ≤ 5 ms",
      shift <= 5,
    ),
    line(
      `memory with ${of}, up to ${connectionsMax} connections`,
      `${grownMb.toFixed(1)} MB more`,
      "≤ 20 MB",
      grownMb <= 20,
    ),
  ];
}

/** Measures the delays from the request of a run to the start of its process, in ascending order. */
async function startDelays(daemon: Daemon, taskId: string): Promise<readonly number[]> {
  const delays: number[] = [];
  for (let count = 0; count < starts; count++) {
    const run = await daemon.call("POST", `/v1/tasks/${taskId}/run`);
    for (;;) {
      const now = await daemon.call("GET", `/v1/runs/${run.id}`);
      if (now.state !== "succeeded") continue;
      delays.push(Date.parse(now.started_at) - Date.parse(now.queued_at));
      break;
    }
  }
  return delays.sort((a, b) => a - b);
}

function listening(server: ReturnType<typeof createRawServer>, backlog = 1_000): Promise<string> {
  return new Promise((resolve) => {
    server.listen({ port: 0, host: "127.0.0.1", backlog }, () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
}

function residentKb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

function line(name: string, figure: string, goal: string, holds: boolean): Result {
  return { name, baseline: "–", ours: figure, bare: "–", figure, goal, holds };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
