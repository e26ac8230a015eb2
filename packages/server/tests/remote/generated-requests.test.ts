import { catalogue, errorStatus } from "@belfry/contract";
import { buildDocument, remoteApi } from "@belfry/contract/openapi";
import { seed } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import {
  makeActor,
  makeChain,
  makeChannel,
  makeGroup,
  makeSchedule,
  makeTask,
  makeTrigger,
  makeWatcher,
} from "../support/api.ts";
import type { Answer } from "../support/harness.ts";
import { useDaemonProcess } from "../support/processes/daemon-process.ts";
import { callRemote, configureRemote, enrol, raisedLimits, untilListening } from "../support/remote-process.ts";
import { generatedRequests, type GeneratedRequest } from "./generate-request.ts";

/** `pnpm soak` sends ten times as many, and needs a quiet machine: it also measures. */
const soakRequests = process.env["BELFRY_SOAK_REQUESTS"];
const requestsTotal = Number(soakRequests ?? 10_000);
const healthMaxMs = 100;
const perBatch = 1_000;
const lanes = 8;

const daemons = useDaemonProcess();
const document = buildDocument(catalogue, remoteApi);

/** Resources of each kind, whose ids appear in the generated requests. */
async function makeResources(daemon: Awaited<ReturnType<typeof daemons.start>>): Promise<readonly string[]> {
  const made = await Promise.all([
    makeGroup(daemon),
    makeTask(daemon),
    makeTask(daemon, { enabled: false }),
    makeSchedule(daemon),
    makeTrigger(daemon).then(({ trigger }) => trigger),
    makeWatcher(daemon),
    makeChain(daemon),
    makeChannel(daemon),
    makeActor(daemon),
  ]);
  const { json: run } = await daemon.call("POST", `/v1/tasks/${made[1]!.id}/run`);
  return [...made.map(({ id }) => id as string), run.id];
}

function residentKilobytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]);
}

/** Asks for the local health again and again, in a thread of its own; stopping it returns the times in milliseconds. */
function startProbe(socketPath: string) {
  const program = new URL("../../../../bench/latency-probe.ts", import.meta.url);
  const worker = new Worker(program, { workerData: socketPath });
  return {
    stop: async (): Promise<readonly number[]> => {
      worker.postMessage("stop");
      const [took] = (await once(worker, "message")) as [readonly number[]];
      await worker.terminate();
      return took;
    },
  };
}

/** Returns why an answer is not one of the remote API; null if it is. */
function faultOf({ status, headers, json }: Answer, method: string): string | null {
  if (headers["x-request-id"] === undefined || headers["x-service-version"] === undefined) return "no common headers";
  if (status < 300) return null;
  if (method === "HEAD") return status < 500 ? null : `status ${status}`;
  const { code, message } = json.error ?? {};
  if (typeof code !== "string" || typeof message !== "string" || message === "") return "no error envelope";
  if (errorStatus[code as keyof typeof errorStatus] !== status) return `${code} with status ${status}`;
  return status >= 500 || status === 405 ? `${status} ${code}` : null;
}

test(
  `${requestsTotal} generated requests: each has an answer of the API, none is a 5xx, and the daemon stays whole`,
  { timeout: 3_600_000 },
  async () => {
    await using former = await daemons.start();
    const ids = await makeResources(former);
    const port = await configureRemote(former.dataDir, raisedLimits);
    await former.stop();
    await using daemon = await daemons.start({ dataDir: former.dataDir });
    await untilListening(daemon);
    const capabilities = ["enroll", "enroll", "enroll", "manage", "operate", "observe", "enroll"] as const;
    const enrolled = [];
    for (const capability of capabilities) enrolled.push(await enrol(daemon, port, capability));
    await daemon.call("POST", `/v1/access/credentials/${enrolled.at(-1).credential_id}/revoke`);
    const tokens = [...enrolled.map(({ access_token }) => access_token as string), undefined];

    const requests = generatedRequests(document, { ids, callers: tokens.length, without: [] });
    const agent = new Agent({ keepAlive: true, maxSockets: lanes, maxCachedSessions: 0 });
    const faults: string[] = [];
    const counts = new Map<number, number>();
    const send = async ({ caller, ...sent }: GeneratedRequest): Promise<void> => {
      const token = tokens[caller];
      const of = { ...sent, agent, ...(token === undefined ? {} : { token }) };
      // the daemon may close a kept connection, or refuse a body by its head
      const answer = await callRemote(daemon, port, of).catch(() => callRemote(daemon, port, of));
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
      const fault = faultOf(answer, sent.method);
      if (fault !== null) faults.push(`${fault}: ${JSON.stringify(sent)} ${answer.text}`);
    };
    const probe = soakRequests === undefined ? null : startProbe(daemon.socketPath);
    const memory: number[] = [];
    for (let batch = 0; batch * perBatch < requestsTotal; batch++) {
      const waiting = fc.sample(requests, { numRuns: perBatch, seed: seed + batch });
      await Promise.all(
        Array.from({ length: lanes }, async () => {
          for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await send(next);
        }),
      );
      memory.push(residentKilobytes(daemon.pid));
      expect((await daemon.call("GET", "/v1/health")).status).toBe(200);
    }
    agent.destroy();
    if (probe !== null) {
      const slowestMs = Math.max(...(await probe.stop()));
      console.log(`slowest local health: ${slowestMs.toFixed(1)} ms; answers: ${JSON.stringify([...counts])}`);
      console.log(`resident memory by thousand requests, in kB: ${memory.join(" ")}`);
      expect(slowestMs).toBeLessThan(healthMaxMs);
    }

    expect(faults).toEqual([]);
    // the requests reached rules, and not only checks before them
    for (const status of [200, 201, 204, 400, 401, 403, 404, 409])
      expect(counts.get(status), `${status}`).toBeGreaterThan(0);
    const [half, end] = [memory[Math.floor(memory.length / 2)]!, memory.at(-1)!];
    expect(end - half, `resident memory by batch, in kB: ${memory.join(" ")}`).toBeLessThan(60_000);
    expect(await daemon.stop()).toBe(0);
  },
);
