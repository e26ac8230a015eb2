import type { Hello } from "@belfry/contract";
import { until } from "@belfry/test-kit";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { type Client, CompatibilityError, ForbiddenError } from "../src/index.ts";
import { fakeDaemon, errorReply, type Respond } from "./fake-daemon.ts";

const connected = { kind: "resync", reason: "connected" } as const;
const gap = { kind: "resync", reason: "gap" } as const;
const run = (id: string) => ({ kind: "run", verb: "queued", id, task_id: "tsk_1" });
const hello = (epoch: string) => frame(`${epoch}-0`, "hello", { epoch, capabilities: ["events"] });

test("each connection yields a resync, and calls onConnect with the daemon's hello", async () => {
  await using daemon = await streams(
    [hello("a"), frame("a-1", "run", run("run_1"))],
    [hello("b"), frame("b-1", "run", run("run_2"))],
  );
  const hellos: Hello[] = [];
  const items = await take(daemon.connect(), 4, {
    kinds: ["run", "task"],
    onConnect: (daemonHello: Hello) => void hellos.push(daemonHello),
  });
  expect(items).toEqual([connected, run("run_1"), connected, run("run_2")]);
  expect(hellos.map(({ epoch }) => epoch)).toEqual(["a", "b"]);
  expect(daemon.seen[0]).toMatchObject({ path: "/events?kinds=run%2Ctask", headers: { accept: "text/event-stream" } });
});

test("a gap in the numbering, another epoch, and the daemon's resync yield a resync", async () => {
  await using daemon = await streams([
    hello("a"),
    frame("a-1", "run", run("run_1")),
    frame("a-3", "run", run("run_3")),
    frame("b-4", "run", run("run_4")),
    frame("b-5", "run", run("run_5")),
    frame("b-6", "resync", { reason: "slow" }),
  ]);
  const items = await take(daemon.connect(), 8);
  expect(items).toEqual([
    connected,
    run("run_1"),
    gap,
    run("run_3"),
    gap,
    run("run_4"),
    run("run_5"),
    { kind: "resync", reason: "overflow" },
  ]);
});

test("an empty list of kinds is rejected before anything is sent", async () => {
  await using daemon = await streams();
  await expect(daemon.connect().events.subscribe({ kinds: [] }).next()).rejects.toThrow(
    "kinds is an empty list. Name at least one kind, or omit kinds to receive all.",
  );
  expect(daemon.seen).toEqual([]);
});

test("an unknown kind of a newer daemon is passed on unchanged", async () => {
  const newer = { kind: "lighthouse", verb: "lit", id: "lhs_1" };
  await using daemon = await streams([hello("a"), frame("a-1", "lighthouse", newer)]);
  expect(await take(daemon.connect(), 2)).toEqual([connected, newer]);
});

test("delays grow while connecting fails, and are short again after a stream", async () => {
  let asked = 0;
  await using daemon = await fakeDaemon(() => {
    asked += 1;
    if (asked === 4) return stream([hello("a")]);
    return asked <= 6 ? errorReply("internal", 500) : stream([hello("b")]);
  });
  const failures: number[] = [];
  await take(daemon.connect({ delayMs: (failure) => (failures.push(failure), 0) }), 2);
  expect(failures).toEqual([1, 2, 3, 1, 2, 3]);
});

test("a connection that breaks during an event is reopened, and the partial event is dropped", async () => {
  await using daemon = await streams([hello("a"), 'id: a-1\nevent: run\ndata: {"kind"'], [hello("b")]);
  expect(await take(daemon.connect(), 2)).toEqual([connected, connected]);
});

test("a permanent failure ends the subscription with its error", async () => {
  await using forbidden = await fakeDaemon(() => errorReply("forbidden", 403));
  await expect(take(forbidden.connect(), 1)).rejects.toBeInstanceOf(ForbiddenError);
  await using stranger = await fakeDaemon(() => ({ json: {} }));
  await expect(take(stranger.connect(), 1)).rejects.toBeInstanceOf(CompatibilityError);
  expect([forbidden.seen.length, stranger.seen.length]).toEqual([1, 1]);
  expect(await stranger.allClosed()).toBe(true);
});

test("an abort while reading ends the subscription without an error, and closes the connection", async () => {
  await using daemon = await fakeDaemon(() => stream([hello("a")], "stays open"));
  const controller = new AbortController();
  const items: unknown[] = [];
  for await (const item of daemon.connect().events.subscribe({ signal: controller.signal })) {
    items.push(item);
    setImmediate(() => controller.abort());
  }
  expect(items).toEqual([connected]);
  expect(await daemon.allClosed()).toBe(true);
});

test("an abort while waiting, or before the start, ends the subscription without an error", async () => {
  await using daemon = await fakeDaemon(() => errorReply("internal", 500));
  const controller = new AbortController();
  const client = daemon.connect({ delayMs: () => (setImmediate(() => controller.abort()), 3_600_000) });
  expect(await take(client, 1, { signal: controller.signal })).toEqual([]);
  expect(await take(client, 1, { signal: controller.signal })).toEqual([]);
  expect(daemon.seen.length).toBe(1);
});

test("leaving the loop closes the connection", async () => {
  await using daemon = await fakeDaemon(() => stream([hello("a")], "stays open"));
  await take(daemon.connect(), 1);
  expect(await daemon.allClosed()).toBe(true);
});

test("a stream may be silent for longer than the timeout of a call", async () => {
  let late: ServerResponse | undefined;
  await using daemon = await fakeDaemon(() => (response) => {
    stream([hello("a")], "stays open")(response);
    late = response;
  });
  const items = daemon.connect({ timeoutMs: 20 }).events.subscribe();
  expect((await items.next()).value).toEqual(connected);
  const started = performance.now();
  await until("the timeout is long past", () => performance.now() - started > 60);
  late?.write(frame("a-1", "run", run("run_1")));
  expect((await items.next()).value).toEqual(run("run_1"));
  await items.return();
});

async function take(
  client: Client,
  count: number,
  options: Parameters<Client["events"]["subscribe"]>[0] = {},
): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of client.events.subscribe(options)) if (items.push(item) === count) break;
  return items;
}

/** Serves one stream per connection; the last one repeats. */
function streams(...connections: readonly (readonly string[])[]) {
  let asked = 0;
  return fakeDaemon(() => stream(connections[Math.min(asked++, connections.length - 1)]!));
}

function stream(frames: readonly string[], then: "ends" | "stays open" = "ends"): Respond {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(frames.join(""));
    if (then === "ends") response.end();
  };
}

function frame(id: string, event: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
