import { Agent } from "node:http";
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { send, type Shot } from "./load.ts";

// The program of a worker thread: sends one request after another until it is stopped, then posts their durations.

const { socket, shot } = workerData as { readonly socket: string; readonly shot: Shot };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const took: number[] = [];
let isStopped = false;
parentPort!.once("message", () => (isStopped = true));
while (!isStopped) {
  const from = performance.now();
  await send(socket, agent, shot);
  took.push(performance.now() - from);
  await setTimeout(2);
}
agent.destroy();
parentPort!.postMessage(took);
