import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { startRemoteDaemon } from "../../server/tests/support/remote.ts";
import { ForbiddenError, type LiveList, UnauthorizedError } from "../src/index.ts";
import { connectLocal } from "../src/local.ts";
import { connectRemote, enrollRemote, GrantReducedError } from "../src/remote.ts";
import { errorReply, fakeDaemon, type Reply, type Seen } from "./fake-daemon.ts";

const hello = 'id: a-0\nevent: hello\ndata: {"epoch":"a","capabilities":[]}\n\n';
const task = { id: "tsk_1", name: "Task", created_at: "2026-11-01T00:00:00.000Z" };
const tasks = { json: { tasks: [task], next_cursor: null } };
const at = <T>(list: LiveList<T>) => list.getSnapshot();
const becomes = (list: LiveList<unknown>, kind: string) =>
  until(`the list is ${kind}`, () => (at(list).state.kind === kind ? at(list).state : null));

const openStream: Reply = (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(hello);
};

/** Streams that stay open, unless `streams` answers them, and reads that `read` answers. */
function daemonOf(read: (request: Seen) => Reply | null, streams?: () => Reply) {
  return fakeDaemon((request) => (request.path.startsWith("/events") ? (streams?.() ?? openStream) : read(request)));
}

test.each([
  ["unauthorized", 401, UnauthorizedError],
  ["forbidden", 403, ForbiddenError],
] as const)("a stream that is refused with %s ends every list with this error", async (code, status, expected) => {
  await using daemon = await daemonOf(
    () => tasks,
    () => errorReply(code, status),
  );
  const client = daemon.connect();
  await using one = client.watch("tasks");
  await using two = client.watch("groups");
  const refreshed = one.refresh().catch((error: unknown) => error);
  for (const list of [one, two]) expect(await becomes(list, "ended")).toMatchObject({ error: expect.any(expected) });
  expect(await refreshed).toBeInstanceOf(expected);
  await expect(two.refresh()).rejects.toBeInstanceOf(expected);
  expect(daemon.seen).toHaveLength(1);
});

test("a read that is refused ends only its list, and nobody reads the stream any more", async () => {
  await using daemon = await daemonOf(({ path }) =>
    path.startsWith("/access") ? errorReply("forbidden", 403) : tasks,
  );
  const client = daemon.connect();
  await using allowed = client.watch("tasks");
  await using refused = client.watch("actors");
  expect(await becomes(refused, "ended")).toMatchObject({ error: expect.any(ForbiddenError) });
  await becomes(allowed, "live");
  expect(await allowed.refresh()).toBeUndefined();
  await allowed.close();
  expect(at(allowed).state).toEqual({ kind: "ended", error: null });
  expect(await daemon.allClosed()).toBe(true);
  // a later list opens the stream again
  await using later = client.watch("tasks");
  await becomes(later, "live");
});

test("a read that fails for a while makes the list stale, and is repeated with growing delays", async () => {
  let failures = 5;
  await using daemon = await daemonOf(() => (failures-- > 0 ? errorReply("internal", 500) : tasks));
  const counts: number[] = [];
  const client = daemon.connect({ retries: 0, delayMs: (count) => (counts.push(count), 0) });
  await using list = client.watch("tasks");
  expect(await becomes(list, "stale")).toMatchObject({ since: null, error: { code: "internal" } });
  await becomes(list, "live");
  expect(counts).toEqual([1, 2, 3, 4, 5]);
  expect(at(list).items).toEqual([task]);
});

test("refresh connects now, instead of waiting for the next try", async () => {
  let isUp = false;
  await using daemon = await daemonOf(
    () => tasks,
    () => (isUp ? openStream : errorReply("internal", 503)),
  );
  const client = daemon.connect({ delayMs: () => 3_600_000 });
  await using list = client.watch("tasks");
  await becomes(list, "stale");
  isUp = true;
  await list.refresh();
  expect(at(list)).toEqual({ items: [task], hasMore: false, state: { kind: "live" } });
});

test("closing, leaving its block or aborting its signal ends a list, its requests and its stream", async () => {
  let asked = 0;
  // never answered
  await using daemon = await daemonOf(() => () => void asked++);
  const client = daemon.connect({ retries: 0 });
  const controller = new AbortController();
  const list = client.watch("tasks", {}, { signal: controller.signal });
  const states: string[] = [];
  list.subscribe(() => states.push(at(list).state.kind));
  const refreshed = list.refresh().catch((error: unknown) => error);
  await until("the read was sent", () => asked === 1);
  controller.abort();
  await list.close();
  expect(await refreshed).toMatchObject({ message: "The list was closed." });
  expect(states).toEqual(["ended"]);
  expect(await daemon.allClosed()).toBe(true);
  {
    await using scoped = client.watch("tasks");
    await until("the read was sent", () => asked === 2);
    expect(at(scoped).state.kind).toBe("loading");
  }
  expect(await daemon.allClosed()).toBe(true);
  const aborted = client.watch("tasks", {}, { signal: controller.signal });
  expect(at(aborted).state).toEqual({ kind: "ended", error: null });
  await aborted.close();
  expect(daemon.seen).toHaveLength(4);
});

test("a listener that throws is reported, and the others are still called", async () => {
  await using daemon = await daemonOf(() => tasks);
  await using list = daemon.connect().watch("tasks");
  const reported = new Promise((resolve) => process.once("uncaughtException", resolve));
  let calls = 0;
  const stop = list.subscribe(() => {
    stop();
    throw new Error("of the listener");
  });
  list.subscribe(() => calls++);
  await becomes(list, "live");
  expect(await reported).toMatchObject({ message: "of the listener" });
  expect(calls).toBe(1);
});

test("a reduced grant ends the lists of a remote client with its error", async () => {
  await using daemon = await startRemoteDaemon();
  const local = connectLocal({ socketPath: daemon.socketPath });
  const { invitation, phrase } = await local.pairings.create({ name: "Board", capability: "operate" });
  await using client = connectRemote(await enrollRemote({ invitation, phrase }), { delayMs: () => 0 });
  await using list = client.watch("tasks");
  await becomes(list, "live");
  const { id } = await client.access.current().then(({ actor_id }) => local.actors.get(actor_id));
  await local.actors.update(id, { capability: "observe" });
  expect(await becomes(list, "ended")).toMatchObject({ error: expect.any(GrantReducedError) });
});

test("the end of a remote client ends its lists", async () => {
  await using daemon = await startRemoteDaemon();
  const local = connectLocal({ socketPath: daemon.socketPath });
  const { invitation, phrase } = await local.pairings.create({ name: "Board", capability: "observe" });
  const client = connectRemote(await enrollRemote({ invitation, phrase }), { delayMs: () => 0 });
  await using list = client.watch("tasks");
  await becomes(list, "live");
  client.close();
  expect(await becomes(list, "ended")).toMatchObject({ error: { message: expect.stringContaining("is closed") } });
});
