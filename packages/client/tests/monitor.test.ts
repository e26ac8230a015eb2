import { until } from "@belfry/test-kit";
import { describe, expect, test } from "vitest";
import {
  backoffMs,
  type BelfryError,
  type Client,
  ConnectionError,
  GrantReducedError,
  IdentityError,
  monitor,
  type MonitorState,
  TrustError,
} from "../src/index.ts";
import { errorReply, fakeDaemon, type Reply, type Seen } from "./fake-daemon.ts";

const hello = 'id: a-0\nevent: hello\ndata: {"epoch":"a","capabilities":[]}\n\n';
const taskEvent = 'id: a-1\nevent: task\ndata: {"kind":"task","verb":"updated","id":"tsk_1"}\n\n';

/** A daemon whose streams are answered one after the other; the last answer repeats. */
function streaming(...answers: readonly Reply[]) {
  let asked = 0;
  return fakeDaemon(({ path }: Seen) =>
    path.startsWith("/events") ? answers[Math.min(asked++, answers.length - 1)]! : { json: { status: "ok" } },
  );
}

const stream =
  (frames: string, then: "ends" | "breaks" | "stays open"): Reply =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(frames);
    if (then === "ends") response.end();
    if (then === "breaks") setImmediate(() => response.destroy());
  };

/** Runs a monitor until it stops, or until `enough` says so. */
async function watch(client: Client, enough: (states: readonly MonitorState[], events: readonly unknown[]) => boolean) {
  const controller = new AbortController();
  const states: MonitorState[] = [];
  const events: unknown[] = [];
  const failures: number[] = [];
  const end = () => {
    if (enough(states, events)) controller.abort();
  };
  const stopped = await monitor(client, {
    signal: controller.signal,
    onState: (state) => (states.push(state), end()),
    onEvent: (event) => (events.push(event), end()),
    delayMs: (count) => (failures.push(count), 0),
  });
  return { stopped, states: states.map(({ state }) => state), events, failures };
}

const never = () => false;

test("a monitor checks the health, connects, and passes events on", async () => {
  await using daemon = await streaming(stream(hello + taskEvent, "stays open"));
  const seen = await watch(daemon.connect(), (_, events) => events.length === 2);
  expect(seen.stopped).toBeNull();
  expect(seen.states).toEqual(["connecting", "connected"]);
  expect(seen.events).toEqual([
    { kind: "resync", reason: "connected" },
    { kind: "task", verb: "updated", id: "tsk_1" },
  ]);
  expect(daemon.seen.map(({ method, path }) => [method, path])).toEqual([
    ["GET", "/health"],
    ["GET", "/events"],
  ]);
  expect(await daemon.allClosed()).toBe(true);
});

test.each(["ends", "breaks"] as const)("a stream that %s is opened again, after another health check", async (how) => {
  await using daemon = await streaming(stream(hello, how), stream(hello, "stays open"));
  const seen = await watch(daemon.connect(), (_, events) => events.length === 2);
  expect(seen.states).toEqual(["connecting", "connected", "waiting", "connecting", "connected"]);
  expect(daemon.seen.map(({ path }) => path)).toEqual(["/health", "/events", "/health", "/events"]);
});

test("delays grow while the daemon is away, and are short again after a connection", async () => {
  await using daemon = await streaming(
    errorReply("internal", 500),
    errorReply("rate_limited", 429),
    { status: 503 },
    stream(hello, "ends"),
    errorReply("internal", 500),
    stream(hello, "stays open"),
  );
  const seen = await watch(daemon.connect(), (_, events) => events.length === 2);
  expect(seen.failures).toEqual([1, 2, 3, 1, 2]);
});

test("the default delays are random, below a second at first, and never above thirty seconds", () => {
  const delays = Array.from({ length: 20 }, (_, index) => backoffMs(index + 1, () => 0.999));
  expect(delays[0]).toBeLessThan(1_000);
  expect(Math.max(...delays)).toBeLessThanOrEqual(30_000);
  expect(backoffMs(1, () => 0)).not.toBe(backoffMs(1, () => 0.999));
});

describe("a monitor stops", () => {
  const refusals: readonly (readonly [string, number, string])[] = [
    ["unauthorized", 401, "authentication"],
    ["credential_revoked", 401, "revocation"],
    ["forbidden", 403, "authorization"],
    ["origin_rejected", 403, "authorization"],
    ["validation_failed", 400, "compatibility"],
    ["not_found", 404, "compatibility"],
    ["conflict", 409, "compatibility"],
    ["code_of_a_newer_daemon", 418, "compatibility"],
  ];
  test.each(refusals)("at %s, and asks once", async (code, status, reason) => {
    await using daemon = await streaming(errorReply(code, status));
    const seen = await watch(daemon.connect(), never);
    expect(seen.stopped).toMatchObject({ state: "stopped", reason, error: { code } });
    expect(seen.states).toEqual(["connecting", "stopped"]);
    expect(daemon.seen.length).toBe(2);
  });

  test("at a server that is not a Belfry daemon", async () => {
    await using stranger = await fakeDaemon(() => ({ json: {} }));
    expect((await watch(stranger.connect(), never)).stopped).toMatchObject({ reason: "compatibility" });
  });

  const failures: readonly (readonly [string, BelfryError])[] = [
    ["trust", new TrustError("wrong root", { address: "localhost:7443", code: "CERT_HAS_EXPIRED" })],
    ["identity", new IdentityError("another daemon", { expected: "ins_1", actual: "ins_2" })],
    ["authorization", new GrantReducedError({ expected: "operate", actual: "observe" })],
  ];
  test.each(failures)("at a failure of %s that appears while it is connected", async (reason, error) => {
    await using daemon = await streaming(stream(hello, "ends"));
    const client = daemon.connect();
    let checks = 0;
    const health = {
      ...client.health,
      get: () => (++checks === 1 ? client.health.get() : Promise.reject(error)),
    } as unknown as Client["health"];
    const seen = await watch({ ...client, health }, never);
    expect(seen.stopped).toEqual({ state: "stopped", reason, error });
    expect(seen.states).toEqual(["connecting", "connected", "waiting", "connecting", "stopped"]);
  });
});

test("an abort while waiting ends the monitor without a result", async () => {
  await using daemon = await streaming(errorReply("internal", 500));
  const controller = new AbortController();
  const states: MonitorState[] = [];
  const watching = monitor(daemon.connect(), {
    signal: controller.signal,
    onState: (state) => void states.push(state),
    delayMs: () => 3_600_000,
  });
  await until("the monitor waits", () => states.at(-1)?.state === "waiting");
  controller.abort();
  expect(await watching).toBeNull();
  expect(states.at(-1)).toMatchObject({ failures: 1, retryInMs: 3_600_000 });
});

test.each(["/health", "/events"])("an abort before %s has answered ends the monitor without a result", async (path) => {
  await using daemon = await fakeDaemon((request) =>
    request.path === path ? () => undefined : { json: { status: "ok" } },
  );
  const controller = new AbortController();
  const states: string[] = [];
  const options = { signal: controller.signal, onState: ({ state }: MonitorState) => void states.push(state) };
  const watching = monitor(daemon.connect(), options);
  await until("the request has arrived", () => daemon.seen.some((request) => request.path === path));
  controller.abort();
  expect(await watching).toBeNull();
  expect(states).toEqual(["connecting"]);
});

test("a monitor of a daemon that is not there waits for it", async () => {
  const daemon = await streaming(stream(hello, "stays open"));
  const client = daemon.connect({ retries: 0 });
  await daemon[Symbol.asyncDispose]();
  const seen = await watch(client, (states) => states.length >= 4);
  expect(seen.states.slice(0, 3)).toEqual(["connecting", "waiting", "connecting"]);
  await expect(client.health.get()).rejects.toBeInstanceOf(ConnectionError);
});
