import { tempDir } from "@belfry/test-kit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { send } from "./load.ts";
import { startDaemon } from "./daemon.ts";
import { root } from "./processes.ts";
import { ratioOf, type Result } from "./result.ts";
import { percentile } from "./stats.ts";

const rounds = 7;
const subscribers = 1_000;
const mutationsARound = 1_000;
const readers = 50;
const events = 400;
const reachMaxMs = 50;

/** Measures how much a thousand listeners slow down a change, and how soon fifty listeners receive its event. */
export async function benchEvents(): Promise<readonly Result[]> {
  await using dir = await tempDir();
  await using daemon = await startDaemon(join(dir.path, "data"));
  const { socket } = daemon;
  const made = await daemon.call("POST", "/v1/groups", { name: "changed" });
  const path = `/v1/groups/${made.id}`;
  await mutate(socket, path, mutationsARound);
  const alone: number[] = [];
  const withListeners: number[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await mutate(socket, path, mutationsARound));
    await using _listeners = await startListeners(socket);
    // connecting a thousand readers costs more than serving them: this measures the steady state
    await mutate(socket, path, mutationsARound);
    withListeners.push(await mutate(socket, path, mutationsARound));
  }
  return [
    ratioOf({
      name: `a change's p99 while ${subscribers} listen`,
      baseline: "the same while nobody does",
      unit: "ms",
      atMost: 2,
      ours: withListeners,
      bare: alone,
    }),
    await benchReach(socket, path),
  ];
}

/** Sends changes one after another. Returns the 99th percentile of their durations, in milliseconds. */
async function mutate(socketPath: string, path: string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took: number[] = [];
  for (let sent = 0; sent < count; sent++) {
    const from = performance.now();
    await send(socketPath, agent, { method: "PATCH", path, body: JSON.stringify({ description: `change ${sent}` }) });
    took.push(performance.now() - from);
  }
  agent.destroy();
  return percentile(
    took.sort((a, b) => a - b),
    99,
  );
}

async function startListeners(socketPath: string): Promise<AsyncDisposable> {
  const child = spawn(process.execPath, [join(root, "bench/listeners.ts"), socketPath, String(subscribers)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  if (child.exitCode !== null) throw new Error(`the listeners ended with ${child.exitCode}`);
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** Measures the time from sending a change until each reader has read its event. */
async function benchReach(socketPath: string, path: string): Promise<Result> {
  const sentAt = new Map<string, number>();
  const took: number[] = [];
  const streams = await Promise.all(
    Array.from({ length: readers }, () =>
      openReader(socketPath, (change) => void took.push(performance.now() - sentAt.get(change)!)),
    ),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let sent = 0; sent < events; sent++) {
    const description = `event ${sent}`;
    sentAt.set(description, performance.now());
    await send(socketPath, agent, { method: "PATCH", path, body: JSON.stringify({ description }) });
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  for (const giveUpAt = Date.now() + 10_000; took.length < events * readers && Date.now() < giveUpAt;)
    await new Promise((resolve) => setTimeout(resolve, 20));
  agent.destroy();
  for (const close of streams) close();
  if (took.length !== events * readers) throw new Error(`${took.length} of ${events * readers} events came`);
  took.sort((a, b) => a - b);
  const [p50, p99, max] = [percentile(took, 50), percentile(took, 99), took.at(-1)!];
  return {
    name: `an event at ${readers} listeners, from the request that causes it`,
    baseline: "the wall clock",
    ours: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms`,
    bare: "–",
    figure: `p99 ${p99.toFixed(1)} ms`,
    goal: `p99 ≤ ${reachMaxMs} ms`,
    holds: p99 <= reachMaxMs,
  };
}

function openReader(socketPath: string, onChange: (description: string) => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path: "/v1/events?kinds=group", agent: false }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const description = /"description":"(event \d+)"/.exec(text.slice(0, end))?.[1];
          if (description !== undefined) onChange(description);
          text = text.slice(end + 2);
        }
      });
      incoming.on("error", () => {});
      resolve(() => outgoing.destroy());
    });
    outgoing.on("error", reject).end();
  });
}
